// sentence_key.hpp -- whether two sentences are the same but for spelling, tokens and punctuation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace senteval::train {

/// Phrases of fewer words may stand in any text: they say nothing about where it is from.
inline constexpr std::size_t least_words = 4;

/// A 64-bit hash of the letters and digits of a sentence in lower case, without blanks and punctuation, so
/// that "Don't stop it now!" and "do n't stop it now ." have the same. Nothing for one of fewer than
/// `words` words.
std::optional<std::uint64_t> sentence_key(std::string_view sentence,
                                          std::size_t words = least_words);

} // namespace senteval::train
