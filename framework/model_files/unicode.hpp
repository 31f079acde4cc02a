// unicode.hpp -- characters as tokenizers see them: UTF-8, classes, and what accents and case become.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace senteval::model_files {

/// The character at `at`, which moves behind it; U+FFFD where there is no valid UTF-8.
char32_t next_character(std::string_view text, std::size_t& at);
void append(std::string& text, char32_t character);

/// Number of characters.
std::size_t count_characters(std::string_view text);

/// Bytes of the character that begins with this byte.
constexpr std::size_t bytes_from(char first)
{
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// Unicode's White_Space.
bool is_space(char32_t c);
/// A letter, digit or underscore.
bool is_word(char32_t c);

/// The classes of the regular expressions of tokenizers, whose library has the categories of Unicode 16.
enum class Kind : std::uint8_t { other, letter, mark, number, space };
Kind kind_of(char32_t c);

/// Where the grapheme cluster that begins at `at` ends: what is seen as one character, such as a letter with the accents
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
/// Appends its lower case, by itself: a sigma at the end of a word is as any other.
void append_lower(std::string& text, char32_t c);

/// Its normalisation form: NFC, NFD, NFKC or NFKD.
std::string unicode_form(std::string_view text, std::string_view form);

/// Python's str.lower() and str.strip().
std::string python_lower(std::string_view text);
std::string_view python_strip(std::string_view text);

/// Without White_Space at the beginning, the end or both.
std::string_view without_outer_space(std::string_view text, bool left, bool right);

} // namespace senteval::model_files
