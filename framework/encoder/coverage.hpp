// coverage.hpp -- how many of a task's words an encoder knows.
#pragma once

#include "encoder/encoder.hpp"
#include "text/sentence.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace senteval::encoder {

/// Words as they occur (tokens), and different ones (types).
struct Coverage {
    std::uint64_t tokens = 0;
    std::uint64_t tokens_known = 0;
    std::uint64_t types = 0;
    std::uint64_t types_known = 0;
};

/// Of these sentences; nothing where the encoder does not tell. Throws what the encoder throws.
[[nodiscard]] std::optional<Coverage> coverage_of(Encoder& encoder,
                                                  std::span<const text::Sentence> sentences);

} // namespace senteval::encoder
