// unicode.hpp -- what Python calls white space and a line, on UTF-8 text.
//
// The rules are those of Python 3's str.split(), str.strip() and str.splitlines(), which SentEval's
// readers use. All functions accept any bytes; on invalid UTF-8 they treat a stray byte as a letter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace senteval::base {

/// The character at `at`, which moves behind it; a negative number, behind the bytes that are none, where there is no
/// valid UTF-8.
std::int32_t next_character(std::string_view bytes, std::size_t& at) noexcept;

/// Offset of the first byte that does not belong to valid UTF-8 (overlong forms and surrogates are
/// invalid too); npos where all do.
std::size_t find_invalid_utf8(std::string_view bytes) noexcept;

/// Every byte becomes the character of the same number.
std::string latin1_to_utf8(std::string_view bytes);

/// Bytes of the white-space character that `text` begins with; 0 where it begins with another.
/// White space is U+0009-000D, 001C-0020, 0085, 00A0, 1680, 2000-200A, 2028, 2029, 202F, 205F, 3000.
std::size_t leading_space(std::string_view text) noexcept;

/// Bytes of the line end that `text` begins with, as str.splitlines() knows them: U+000A-000D (CR LF
/// is one), 001C-001E, 0085, 2028, 2029; 0 where it begins with another character.
std::size_t leading_line_end(std::string_view text) noexcept;

/// Without the white space at both ends, or at the right one only.
std::string_view strip(std::string_view text) noexcept;
std::string_view strip_right(std::string_view text) noexcept;

/// Whether there is nothing to read: only white space, control characters, code points that are never seen (default
/// ignorable, such as U+00AD, U+200B and U+FEFF) and U+FFFD, which stands for what could not be decoded.
bool is_unreadable(std::string_view text) noexcept;

/// The first word of `text` (str.split()), which then begins behind it; empty where there is none.
std::string_view take_word(std::string_view& text) noexcept;

} // namespace senteval::base
