// bootstrap.hpp -- how a statistic varies where its items are drawn anew.
#pragma once

#include "stats/statistic.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::stats {

/// The same seed gives the same bits on any number of threads: every resample has a random stream
/// of its own.
struct Resampling {
    std::size_t resamples = 10000;
    std::uint64_t seed = 1111;
    unsigned threads = 1;
};

/// The statistic of every resample, in order of the resamples: each stratum's items drawn with
/// replacement. `cluster`, where it is not empty, says which cluster each item is of, numbered from 0: whole
/// clusters are drawn, as many as there are. Throws core::Error where no resamples are asked for.
std::vector<double> bootstrap_replicates(const Statistic& statistic,
                                         const Resampling& options,
                                         std::span<const std::uint32_t> cluster = {});

/// Values whose sum of squares is the variance of the statistic by its items, and whose sums of products
/// are the covariances of several: its jackknife values, or, where it is not smooth, what the resamples
/// are off by, over the root of their number. `cluster`: as above; of a smooth statistic it is ignored, since
/// Crossed knows the sources of its items.
std::vector<double> influence_of(const Statistic& statistic,
                                 const Resampling& options,
                                 std::span<const std::uint32_t> cluster = {});

} // namespace senteval::stats
