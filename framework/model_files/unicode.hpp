// unicode.hpp -- characters as tokenizers see them: classes, and what accents and case become.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace senteval::model_files {

/// A letter, digit or underscore.
bool is_word(char32_t c);

/// The classes of the regular expressions of tokenizers, whose library has the categories of Unicode 16.
enum class Kind : std::uint8_t { other, letter, mark, number, space };
Kind kind_of(char32_t c);

/// The end of the grapheme cluster that begins at `at`: of one visible character, such as a letter with the accents
/// behind it. Exact for those of less than 6 bytes.
std::size_t cluster_end(std::string_view text, std::size_t at);

// The classes of BERT's tokenizers, whose library has the categories of Unicode 8.
bool is_removed(
    char32_t c); ///< by clean_text: control, format and private characters, U+0000, U+FFFD
bool is_punctuation(char32_t c);
bool is_mark(char32_t c); ///< an accent, which strip_accents drops
bool is_cjk(char32_t c);  ///< an ideograph, which is a word of its own

/// Appends its canonical decomposition, without marks.
void append_without_marks(std::string& text, char32_t c);

/// The text in a normalisation form: NFC, NFD, NFKC or NFKD.
std::string unicode_form(std::string_view text, std::string_view form);

/// The text without White_Space at the beginning, the end or both.
std::string_view without_outer_space(std::string_view text, bool left, bool right);

} // namespace senteval::model_files
