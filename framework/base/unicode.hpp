// unicode.hpp -- characters of UTF-8 text, white space, and words and lines as Python cuts them.
//
// Words, lines and stripping follow Python 3's str.split(), str.splitlines() and str.strip(), which SentEval's
// readers use. All functions accept any bytes; on invalid UTF-8 they treat a stray byte as a letter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace senteval::base {

/// The character at `at`, which then points behind it; a negative number for bytes that are no valid UTF-8.
std::int32_t next_character(std::string_view bytes, std::size_t& at) noexcept;

/// The same; U+FFFD where there is no valid UTF-8.
inline char32_t next_or_replacement(std::string_view bytes, std::size_t& at) noexcept
{
    const std::int32_t character = next_character(bytes, at);
    return character < 0 ? U'\uFFFD' : static_cast<char32_t>(character);
}

/// Bytes of the character that begins with this byte.
constexpr std::size_t bytes_from(char first) noexcept
{
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// The beginning of the character before `at`, which is above 0.
std::size_t character_before(std::string_view text, std::size_t at) noexcept;

/// At most `bytes` bytes of a text, with no character cut.
std::string_view first_characters(std::string_view text, std::size_t bytes) noexcept;

/// Number of characters of valid UTF-8.
std::size_t count_characters(std::string_view text) noexcept;

void append_character(std::string& text, char32_t character);

/// Appends the lower case of a character, by itself: a sigma at the end of a word is as any other.
void append_lower(std::string& text, char32_t character);

/// Appends a text in lower case as Python 3.11's str.lower() has it: a sigma at the end of a word is another letter.
void append_lower_case(std::string& result, std::string_view text);

/// Whether \w of Python 3.11's regular expressions matches the character: a letter, a number or '_'. What is newer
/// than its Unicode 14 is none of these, whatever ICU is installed.
bool is_word_character(char32_t character) noexcept;

/// Whether the character has Unicode's property White_Space.
bool is_white_space(char32_t character) noexcept;

/// Offset of the first byte that does not belong to valid UTF-8 (overlong forms and surrogates are
/// invalid too); npos where all do.
std::size_t find_invalid_utf8(std::string_view bytes) noexcept;

/// Bytes of the white-space character that `text` begins with; 0 where it begins with another.
/// Python's white space is White_Space and U+001C-001F.
std::size_t leading_space(std::string_view text) noexcept;

/// Bytes of the line end that `text` begins with, as str.splitlines() knows them: U+000A-000D (CR LF
/// is one), 001C-001E, 0085, 2028, 2029; 0 where it begins with another character.
std::size_t leading_line_end(std::string_view text) noexcept;

/// Text without the white space at both ends, or at the right one only.
std::string_view strip(std::string_view text) noexcept;
std::string_view strip_right(std::string_view text) noexcept;

/// Whether there is nothing to read: only white space, control characters, code points that are never seen (default
/// ignorable, such as U+00AD, U+200B and U+FEFF) and U+FFFD, which stands for what could not be decoded.
bool is_unreadable(std::string_view text) noexcept;

/// The first word of `text` (str.split()), which then begins behind it; empty where there is none.
std::string_view take_word(std::string_view& text) noexcept;

/// Calls each(word) for the words of a text in order.
template <typename Each>
void for_each_word(std::string_view text, Each&& each)
{
    for (auto word = take_word(text); !word.empty(); word = take_word(text))
        each(word);
}

} // namespace senteval::base
