#include "base/unicode.hpp"

#include "base/ascii.hpp"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>

namespace senteval::base {
namespace {

/// Whether Python takes the character, or the negative number of none, for white space.
bool is_space(UChar32 character) noexcept
{
    if (character >= 0x80)
        return u_isUWhiteSpace(character) != 0;
    return character == ' ' || (character >= '\t' && character <= '\r') ||
           (character >= 0x1C && character <= 0x1F);
}

/// Whether the byte continues a character of several.
bool continues(char byte) noexcept
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Bytes up to the next white space.
std::size_t word_length(std::string_view text) noexcept
{
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte > ' ' && byte < 0xC2) // most are: of ASCII, or of none
            ++at;
        else if (is_space(next_character(text, at)))
            return begin;
    }
    return text.size();
}

/// Whether the character is in Unicode 14, that of Python 3.11.
bool is_in_python(char32_t character) noexcept
{
    UVersionInfo age;
    u_charAge(static_cast<UChar32>(character), age);
    return age[0] <= 14;
}

bool has(std::int32_t character, UProperty property) noexcept
{
    return u_hasBinaryProperty(character, property) != 0;
}

/// Whether the sigma from `begin` to `end` ends a word: a cased letter stands before it and none behind it, whatever
/// signs that have no case stand between.
bool is_final_sigma(std::string_view text, std::size_t begin, std::size_t end) noexcept
{
    std::int32_t character = 0;
    do {
        if (begin == 0)
            return false;
        begin = character_before(text, begin);
        std::size_t at = begin;
        character = next_character(text, at);
    } while (has(character, UCHAR_CASE_IGNORABLE));
    if (!has(character, UCHAR_CASED))
        return false;
    while (end < text.size())
        if (character = next_character(text, end); !has(character, UCHAR_CASE_IGNORABLE))
            return !has(character, UCHAR_CASED);
    return true;
}

std::string_view strip_left(std::string_view text) noexcept
{
    while (const std::size_t length = leading_space(text))
        text.remove_prefix(length);
    return text;
}

} // namespace

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion" // inside ICU's macros
#pragma GCC diagnostic ignored "-Wsign-conversion"
std::int32_t next_character(std::string_view bytes, std::size_t& at) noexcept
{
    UChar32 character = 0;
    U8_NEXT(bytes.data(), at, bytes.size(), character);
    return character;
}

void append_character(std::string& text, char32_t character)
{
    char encoded[U8_MAX_LENGTH];
    std::size_t size = 0;
    U8_APPEND_UNSAFE(encoded, size, character);
    text.append(encoded, size);
}

/// Bytes of the white-space character that `text` ends with; 0 where it ends with another.
static std::size_t trailing_space(std::string_view text) noexcept
{
    constexpr std::size_t longest = 4;
    const std::string_view end = text.substr(text.size() - std::min(text.size(), longest));
    auto at = static_cast<std::int32_t>(end.size());
    UChar32 character = -1;
    if (!end.empty())
        U8_PREV(end.data(), 0, at, character);
    return is_space(character) ? end.size() - static_cast<std::size_t>(at) : 0;
}
#pragma GCC diagnostic pop

std::size_t character_before(std::string_view text, std::size_t at) noexcept
{
    do
        --at;
    while (at > 0 && continues(text[at]));
    return at;
}

std::string_view first_characters(std::string_view text, std::size_t bytes) noexcept
{
    return text.size() <= bytes ? text : text.substr(0, character_before(text, bytes + 1));
}

std::size_t count_characters(std::string_view text) noexcept
{
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues));
}

void append_lower(std::string& text, char32_t character)
{
    if (character == 0x130) // the only one whose lower case is two
        text += "i\u0307";
    else
        append_character(text, static_cast<char32_t>(u_tolower(static_cast<UChar32>(character))));
}

void append_lower_case(std::string& result, std::string_view text)
{
    constexpr char32_t sigma = 0x3A3;
    constexpr char32_t final_sigma = 0x3C2;
    for (std::size_t at = 0; at < text.size();) {
        if (const char byte = text[at]; static_cast<unsigned char>(byte) < 0x80) {
            result += ascii_lower(byte);
            ++at;
            continue;
        }
        const std::size_t begin = at;
        const char32_t character = next_or_replacement(text, at);
        if (character == sigma && is_final_sigma(text, begin, at))
            append_character(result, final_sigma);
        else if (is_in_python(character))
            append_lower(result, character);
        else
            append_character(result, character);
    }
}

bool is_word_character(char32_t character) noexcept
{
    const std::uint32_t categories = U_GC_L_MASK | U_GC_N_MASK;
    return character == '_' ||
           ((U_GET_GC_MASK(static_cast<UChar32>(character)) & categories) != 0 &&
            is_in_python(character));
}

bool is_white_space(char32_t character) noexcept
{
    return u_isUWhiteSpace(static_cast<UChar32>(character)) != 0;
}

std::size_t find_invalid_utf8(std::string_view bytes) noexcept
{
    const auto first_wide =
        std::find_if(bytes.begin(), bytes.end(), [](char c) { return (c & 0x80) != 0; });
    for (auto at = static_cast<std::size_t>(first_wide - bytes.begin()); at < bytes.size();) {
        const std::size_t begin = at;
        if (next_character(bytes, at) < 0)
            return begin;
    }
    return std::string_view::npos;
}

std::size_t leading_space(std::string_view text) noexcept
{
    std::size_t at = 0;
    return !text.empty() && is_space(next_character(text, at)) ? at : 0;
}

std::size_t leading_line_end(std::string_view text) noexcept
{
    if (text.starts_with("\r\n"))
        return 2;
    if (text.empty())
        return 0;
    const auto first = static_cast<unsigned char>(text.front());
    if ((first >= 0x0A && first <= 0x0D) || (first >= 0x1C && first <= 0x1E))
        return 1;
    if (text.starts_with("\xC2\x85"))
        return 2;
    return text.starts_with("\xE2\x80\xA8") || text.starts_with("\xE2\x80\xA9") ? 3 : 0;
}

std::string_view strip_right(std::string_view text) noexcept
{
    while (const std::size_t length = trailing_space(text))
        text.remove_suffix(length);
    return text;
}

std::string_view strip(std::string_view text) noexcept
{
    return strip_right(strip_left(text));
}

std::string_view take_word(std::string_view& text) noexcept
{
    text = strip_left(text);
    const std::string_view word = text.substr(0, word_length(text));
    text.remove_prefix(word.size());
    return word;
}

bool is_unreadable(std::string_view text) noexcept
{
    for (std::size_t at = 0; at < text.size();) {
        const std::int32_t character = next_character(text, at);
        if (character >= 0 && character != 0xFFFD && !is_space(character) &&
            u_isISOControl(character) == 0 &&
            u_hasBinaryProperty(character, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) == 0)
            return false;
    }
    return true;
}

} // namespace senteval::base
