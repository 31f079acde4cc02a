// coverage.hpp -- how many of a task's words an encoder knows.
#pragma once

#include "encoder/encoder.hpp"
#include "text/sentence.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace senteval::encoder {

/// The number of tokens of each sentence, and of those that the encoder knows.
struct KnownWords {
    std::vector<std::uint32_t> tokens;
    std::vector<std::uint32_t> known;
};

/// The words that the encoder knows; nothing where it does not count them. Its calls overlap where it lets them. Throws
/// what the encoder throws.
[[nodiscard]] std::optional<KnownWords>
known_words(Encoder& encoder, std::span<const text::Sentence> sentences, unsigned threads);

using results::Coverage;

/// The coverage of these sentences; nothing where the encoder does not count words. Throws what it throws.
[[nodiscard]] std::optional<Coverage>
coverage_of(Encoder& encoder, std::span<const text::Sentence> sentences, unsigned threads);

} // namespace senteval::encoder
