// offender.hpp -- which sentence of a batch an encoder fails on.
#pragma once

#include "core/error.hpp"
#include "encoder/encoder.hpp"
#include "text/sentence.hpp"

#include <span>

namespace senteval::encoder {

/// An encoder failed, and what there is to know of the sentences that it failed on has been said.
class Investigated : public core::Error {
public:
    using core::Error::Error;
};

/// Encodes a batch; see Encoder::encode(). Where that fails, parts of the batch are encoded, halving them,
/// until a sentence is found that fails alone. core::Error then has the encoder's reason and
///
///     ; the sentence that does it: "a"                 one fails alone, and some do not
///     ; it fails whatever it is given, "a" alone as well   nothing that was tried does no harm
///     ; it takes 4 sentences, beginning with "a"       neither half of these fails
///     ; "a" alone failed once, and did no harm a second time
///     ; a second time the same 8 sentences did no harm
///
/// Nothing is assumed of how the encoder comes to fail: parts may fail for other reasons, or not at all. The
/// search takes at most some 16 calls and twice as long as the call that failed, or ten seconds; where that
/// took more than half a minute, there is none.
void encode_or_tell(Encoder& encoder,
                    std::span<const text::Sentence> batch,
                    float* out,
                    const CallContext& context);

} // namespace senteval::encoder
