// claims.hpp -- what an encoder claims of its vectors, tried on a sample of what a task has it encode.
#pragma once

#include "core/error.hpp"
#include "encoder/encoder.hpp"
#include "text/sentence.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

namespace senteval::encoder {

/// What an encoder claims does not hold.
class BrokenClaim : public core::Error {
public:
    using core::Error::Error;
};

/// Where two vectors differ most, if they do so by more than rounding (a thousandth of the largest
/// element, as sums in another order differ in half precision).
std::optional<std::size_t> beyond_rounding(std::span<const float> a, std::span<const float> b);

/// What a session has encoded, batch by batch, perhaps on several threads.
struct Encoded {
    std::span<const text::Sentence> sentences;
    std::function<std::span<const float>(std::size_t)> vector; ///< of the sentence of that number
    std::size_t batch_size = 1;
    bool overlapped = false; ///< calls ran at the same time
    std::size_t before = 0;  ///< sentences that the session encoded before these
    std::size_t tried = 0;   ///< what check_claims() returned for those, in all
    std::size_t all = 0;     ///< that the session will encode, if not more of them
};

/// Encodes a sample again, one call at a time: where the encoder is batch-invariant, single sentences and a
/// batch of them in another order; where it is only concurrent and deterministic, one of the batches.
/// How many depends on the number and the length of the sentences alone: one of 512 of a session's, at
/// least 2 and at most 16, from the first to the last of each part, and few where they are long; of the batches
/// one of 64; of sentences that were encoded in calls at the same time, one of 64, at least 8, of one batch.
/// Returns how many sentences, or batches, they were. Throws BrokenClaim that names the claim,
/// the sentence and both values.
std::size_t check_claims(Encoder& encoder, const Encoded& encoded, const CallContext& context);

} // namespace senteval::encoder
