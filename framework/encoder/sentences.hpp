// sentences.hpp -- lists of sentences, as the session asks for them and names them.
#pragma once

#include "text/sentence.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::encoder {

/// A sentence and the place of its vector.
struct Slot {
    text::Sentence sentence;
    float* vector = nullptr;
};

/// A sentence for a message: whole where it is short.
[[nodiscard]] std::string shown(std::string_view sentence);

/// Each different sentence once, where it is first.
[[nodiscard]] std::vector<text::Sentence> distinct(std::span<const text::Sentence> sentences);

/// Each different word once, as a sentence of its own; a view of the sentences.
[[nodiscard]] std::vector<text::Sentence>
distinct_tokens(std::span<const text::Sentence> sentences);

} // namespace senteval::encoder
