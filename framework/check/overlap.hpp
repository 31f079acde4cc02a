// overlap.hpp -- batches on several threads at the same time.
#pragma once

#include "check/bench.hpp"
#include "check/measure.hpp"
#include "check/sentences.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace senteval::check {

/// Batches of one to four sentences that differ.
std::vector<Sentences> small_batches(const Bench& bench);

/// Rounds of all batches that overlap(), at the least, goes through; one where even these take too long.
inline constexpr std::size_t least_overlapping_rounds = 4;

/// The vectors of as many of the batches as there is time to encode often; the others are left out.
std::vector<Vectors>
encode_some(Bench& bench, Instance& instance, std::vector<Sentences>& batches, std::size_t calls);

/// A batch that got other vectors than expected.
struct Mismatch {
    std::size_t instance = 0;
    std::size_t batch = 0;
    Vectors found;
};

/// The first that differs beyond rounding.
std::optional<std::size_t> first_difference(const Vectors& expected, const Vectors& found);

/// Lets each of them, on a thread of its own, encode all batches again and again, until one gets other vectors
/// than expected (where that is not empty) or so much processor time is spent; where others do the work, until
/// so many times that has gone by.
std::optional<Mismatch> overlap(Bench& bench,
                                const std::vector<Instance*>& instances,
                                const std::vector<Sentences>& batches,
                                const std::vector<Vectors>& expected,
                                Seconds enough);

} // namespace senteval::check
