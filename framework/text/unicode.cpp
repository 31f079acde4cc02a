#include "text/unicode.hpp"

#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace senteval::text {
namespace {

/// What the first byte of a character says about it.
enum class Lead : std::uint8_t { letter, space, perhaps_space };

constexpr std::array<Lead, 256> make_leads()
{
    std::array<Lead, 256> leads{};
    for (const int c : {0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x1F, 0x20})
        leads[static_cast<std::size_t>(c)] = Lead::space;
    for (const int c : {0xC2, 0xE1, 0xE2, 0xE3})
        leads[static_cast<std::size_t>(c)] = Lead::perhaps_space;
    return leads;
}

constexpr std::array<Lead, 256> leads = make_leads();

Lead lead_of(char c) noexcept
{
    return leads[static_cast<unsigned char>(c)];
}

std::size_t length_of_wide_space(std::string_view text) noexcept
{
    if (text.starts_with("\xC2\x85") || text.starts_with("\xC2\xA0"))
        return 2;
    if (text.size() < 3)
        return 0;
    const auto last = static_cast<unsigned char>(text[2]);
    const bool in_general_punctuation =
        text.starts_with("\xE2\x80") &&
        ((last >= 0x80 && last <= 0x8A) || last == 0xA8 || last == 0xA9 || last == 0xAF);
    return in_general_punctuation || text.starts_with("\xE1\x9A\x80") ||
                   text.starts_with("\xE2\x81\x9F") || text.starts_with("\xE3\x80\x80")
               ? 3
               : 0;
}

/// Bytes up to the next white space.
std::size_t word_length(std::string_view text) noexcept
{
    std::size_t at = 0;
    while (at < text.size() &&
           (lead_of(text[at]) == Lead::letter || leading_space(text.substr(at)) == 0))
        ++at;
    return at;
}

std::string_view strip_left(std::string_view text) noexcept
{
    while (const std::size_t length = leading_space(text))
        text.remove_prefix(length);
    return text;
}

} // namespace

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion" // inside ICU's macro
std::int32_t next_character(std::string_view bytes, std::size_t& at) noexcept
{
    UChar32 character = 0;
    U8_NEXT(bytes.data(), at, bytes.size(), character);
    return character;
}
#pragma GCC diagnostic pop

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

std::string latin1_to_utf8(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size() + bytes.size() / 16);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xC0 | (byte >> 6));
            text += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
    return text;
}

std::size_t leading_space(std::string_view text) noexcept
{
    if (text.empty())
        return 0;
    switch (lead_of(text.front())) {
    case Lead::letter:
        return 0;
    case Lead::space:
        return 1;
    case Lead::perhaps_space:
        break;
    }
    return length_of_wide_space(text);
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
    const auto trailing_space = [&]() -> std::size_t {
        for (std::size_t length = 1; length <= std::min<std::size_t>(3, text.size()); ++length)
            if (leading_space(text.substr(text.size() - length)) == length)
                return length;
        return 0;
    };
    while (const std::size_t length = trailing_space())
        text.remove_suffix(length);
    return text;
}

std::string_view strip(std::string_view text) noexcept
{
    return strip_right(strip_left(text));
}

Sentence make_sentence(std::string_view text, Arena& arena)
{
    std::string joined;
    joined.reserve(text.size());
    std::uint32_t tokens = 0;
    for (text = strip_left(text); !text.empty(); text = strip_left(text), ++tokens) {
        const std::size_t length = word_length(text);
        if (tokens > 0)
            joined += ' ';
        joined += text.substr(0, length);
        text.remove_prefix(length);
    }
    return {arena.store(joined), tokens};
}

} // namespace senteval::text
