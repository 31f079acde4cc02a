/*
 * printable.hpp -- text that nobody vouches for, shown so that it neither moves a cursor, nor changes a
 * terminal, nor turns the direction of what stands around it.
 *
 * What encoders, programs, servers and files say ends up in log lines, messages and pages. Here is the one
 * place that decides which characters of it are shown as they are. Needs nothing but the standard library.
 */
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace senteval::sdk {

/** Bytes of the UTF-8 character at the beginning of `text`; 0 where there is none (overlong forms and
 * surrogates are none). */
inline std::size_t character_length(std::string_view text) noexcept
{
    const auto byte = [&](std::size_t at) {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
    };
    const auto follows = [&](std::size_t at) { return (byte(at) & 0xC0U) == 0x80U; };
    const unsigned lead = byte(0);
    if (lead < 0x80U)
        return text.empty() ? 0 : 1;
    if (lead >= 0xC2U && lead < 0xE0U)
        return follows(1) ? 2 : 0;
    if (lead >= 0xE0U && lead < 0xF0U) {
        const bool overlong = lead == 0xE0U && byte(1) < 0xA0U;
        const bool surrogate = lead == 0xEDU && byte(1) > 0x9FU;
        return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (lead >= 0xF0U && lead < 0xF5U) {
        const bool overlong = lead == 0xF0U && byte(1) < 0x90U;
        const bool beyond = lead == 0xF4U && byte(1) > 0x8FU;
        return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

/** The number of a character that character_length() has measured. */
inline char32_t code_point(std::string_view character) noexcept
{
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(character[at]); };
    if (character.size() < 2)
        return character.empty() ? U'\0' : byte(0);
    char32_t code = byte(0) & (0xFFU >> (character.size() + 1));
    for (std::size_t at = 1; at < character.size(); ++at)
        code = (code << 6U) | (byte(at) & 0x3FU);
    return code;
}

/** Characters that a terminal or a page obeys in place of showing them: controls of both sets, and those
 * without a shape of their own that order, join or hide what stands around them. */
inline bool is_unseen(char32_t code) noexcept
{
    struct Range {
        char32_t first, last;
    };
    constexpr std::array<Range, 11> ranges{{{0x0000, 0x001F},
                                            {0x007F, 0x009F},
                                            {0x00AD, 0x00AD}, // soft hyphen
                                            {0x061C, 0x061C}, // Arabic letter mark
                                            {0x180E, 0x180E}, // a separator of Mongolian
                                            {0x200B, 0x200F}, // of width zero; direction marks
                                            {0x2028, 0x202E}, // line ends; embeddings, overrides
                                            {0x2060, 0x206F}, // joiners; isolates
                                            {0xFEFF, 0xFEFF}, // byte-order mark
                                            {0xFFF9, 0xFFFB}, // annotations
                                            {0xE0000, 0xE007F}}}; // tags
    for (const Range& range : ranges)
        if (code >= range.first && code <= range.last)
            return true;
    return false;
}

/** "\x1b" for each byte. */
inline std::string escaped_bytes(std::string_view bytes)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const char one : bytes) {
        const auto byte = static_cast<unsigned char>(one);
        text += "\\x";
        text += digits[byte >> 4U];
        text += digits[byte & 0x0FU];
    }
    return text;
}

/** "\u202e" */
inline std::string escaped_character(char32_t code)
{
    constexpr std::string_view digits = "0123456789abcdef";
    const unsigned wide = code > 0xFFFF ? 5 : 4;
    std::string text = wide == 5 ? "\\U000" : "\\u";
    for (unsigned digit = wide; digit-- > 0;)
        text += digits[(code >> (4 * digit)) & 0x0FU];
    return text;
}

/** Takes the first character off `text`, or the first byte where that belongs to none, and returns what shows it:
 * itself, or its number. `text` is not empty. */
inline std::string take_shown(std::string_view& text)
{
    const std::size_t length = character_length(text);
    const std::string_view first = text.substr(0, length == 0 ? 1 : length);
    text.remove_prefix(first.size());
    if (length == 0)
        return escaped_bytes(first);
    const char32_t code = code_point(first);
    if (!is_unseen(code))
        return std::string(first);
    return code <= 0x9F ? escaped_bytes(first) : escaped_character(code);
}

/** All of `text` so, but for line ends and tabs, which stay. */
inline std::string printable(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        if (text.front() == '\n' || text.front() == '\t') {
            result += text.front();
            text.remove_prefix(1);
        } else {
            result += take_shown(text);
        }
    }
    return result;
}

/** At most `most` bytes of `text` as a part of one line: line ends and tabs become "\n", "\t" and "\r". What is
 * cut off is counted: "... (12 bytes more)". `quotes`: in them, with those inside escaped. */
inline std::string printable_line(std::string_view text, std::size_t most, bool quotes = false)
{
    std::string result = quotes ? "\"" : "";
    const std::size_t size = text.size();
    while (!text.empty()) {
        const char first = text.front();
        const std::size_t length = character_length(text);
        if (size - text.size() + (length == 0 ? 1 : length) > most)
            break;
        const std::string_view two = first == '\n'             ? "\\n"
                                     : first == '\t'           ? "\\t"
                                     : first == '\r'           ? "\\r"
                                     : quotes && first == '"'  ? "\\\""
                                     : quotes && first == '\\' ? "\\\\"
                                                               : "";
        if (two.empty()) {
            result += take_shown(text);
        } else {
            result += two;
            text.remove_prefix(1);
        }
    }
    if (quotes)
        result += '"';
    return text.empty() ? result : result + "... (" + std::to_string(text.size()) + " bytes more)";
}

} // namespace senteval::sdk
