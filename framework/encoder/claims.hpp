// claims.hpp -- do an encoder's capabilities hold? Tried on a sample of a task's sentences.
#pragma once

#include "base/error.hpp"
#include "encoder/encoder.hpp"
#include "text/sentence.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

namespace senteval::encoder {

/// A capability that the encoder declares does not hold.
class BrokenClaim : public base::Error {
public:
    using base::Error::Error;
};

/// Where two vectors differ most, if they do so by more than rounding (a thousandth of the largest
/// element, as sums in another order differ in half precision).
std::optional<std::size_t> beyond_rounding(std::span<const float> a, std::span<const float> b);

/// Sentences of one role that were encoded, batch by batch, perhaps on several threads.
struct Encoded {
    std::span<const text::Sentence> sentences;
    std::function<std::span<const float>(std::size_t)> vector; ///< of the sentence of that number
    std::size_t batch_size = 1;
    bool overlapped = false; ///< calls ran at the same time
};

/// Encodes a sample again, one call at a time. Of a batch-invariant encoder: one sentence of 512, at least 2 and at
/// most 8, alone and in another order, and, where calls overlapped, a part of one batch. Of one that is only concurrent
/// and deterministic: one batch, where calls overlapped. Throws BrokenClaim that names the capability, the sentence and
/// both values.
void check_claims(Encoder& encoder, const Encoded& encoded, const CallContext& context);

} // namespace senteval::encoder
