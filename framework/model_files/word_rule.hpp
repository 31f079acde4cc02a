// word_rule.hpp -- the regular expressions by which byte-level tokenizers cut texts into words, as plain scans.
#pragma once

#include <cstddef>
#include <string_view>

namespace senteval::model_files {

/// One of the expressions, which differ in a few points.
struct WordRule {
    static constexpr std::size_t any = static_cast<std::size_t>(-1);

    bool is_newer =
        false; ///< than GPT-2's: any sign may lead a word, line ends stay with what is before them
    std::size_t most_digits = any; ///< in one word
    bool takes_marks = false;      ///< as letters

    /// The end of the word that begins at `at`.
    [[nodiscard]] std::size_t end(std::string_view text, std::size_t at) const;
};

inline constexpr WordRule gpt2_words;

/// The rule that is written so: GPT-2's, Llama 3's, or Qwen's from 2 or 3.5 on. nullptr for another.
const WordRule* word_rule_of(std::string_view expression);

} // namespace senteval::model_files
