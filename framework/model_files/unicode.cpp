#include "model_files/unicode.hpp"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>

namespace senteval::model_files {
namespace {

/// The general category in Unicode 8, as a mask: what is newer was not assigned, and five signs were something else.
std::uint32_t category(char32_t c)
{
    switch (c) {
    case 0x1734:
        return U_GC_MN_MASK;
    case 0x1885:
    case 0x1886:
        return U_GC_LO_MASK;
    case 0xA9BD:
        return U_GC_MC_MASK;
    case 0x166D:
    case 0x111C9:
        return U_GC_PO_MASK;
    default:
        break;
    }
    UVersionInfo age;
    u_charAge(static_cast<UChar32>(c), age);
    return age[0] > 8 ? U_GC_CN_MASK : U_GET_GC_MASK(static_cast<UChar32>(c));
}

} // namespace

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion" // inside ICU's macros
#pragma GCC diagnostic ignored "-Wsign-conversion"
char32_t next_character(std::string_view text, std::size_t& at)
{
    UChar32 character = 0;
    U8_NEXT_OR_FFFD(text.data(), at, text.size(), character);
    return static_cast<char32_t>(character);
}

void append(std::string& text, char32_t character)
{
    char encoded[U8_MAX_LENGTH];
    std::size_t size = 0;
    U8_APPEND_UNSAFE(encoded, size, character);
    text.append(encoded, size);
}
#pragma GCC diagnostic pop

std::size_t count_characters(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

bool is_space(char32_t c)
{
    return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0;
}

bool is_word(char32_t c)
{
    return c == '_' || u_isalnum(static_cast<UChar32>(c)) != 0;
}

bool is_removed(char32_t c)
{
    if (c == '\t' || c == '\n' || c == '\r')
        return false;
    return c == 0xFFFD || (category(c) & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK)) != 0;
}

bool is_punctuation(char32_t c)
{
    if (c < 0x80)
        return c > ' ' && c != 0x7F && u_isalnum(static_cast<UChar32>(c)) == 0;
    return (category(c) & U_GC_P_MASK) != 0;
}

bool is_mark(char32_t c)
{
    return c >= 0x300 && (category(c) & U_GC_MN_MASK) != 0;
}

bool is_cjk(char32_t c)
{
    const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
    return within(0x3400, 0x4DBF) || within(0x4E00, 0x9FFF) || within(0xF900, 0xFAFF) ||
           within(0x20000, 0x2A6DF) || within(0x2A700, 0x2B81F) || // the library leaves a gap here
           within(0x2B920, 0x2CEAF) || within(0x2F800, 0x2FA1F);
}

void append_without_marks(std::string& text, char32_t c)
{
    UErrorCode error = U_ZERO_ERROR;
    icu::UnicodeString parts;
    if (!icu::Normalizer2::getNFDInstance(error)->getDecomposition(static_cast<UChar32>(c), parts))
        parts = static_cast<UChar32>(c);
    for (std::int32_t i = 0; i < parts.length(); i = parts.moveIndex32(i, 1))
        if (const auto part = static_cast<char32_t>(parts.char32At(i)); !is_mark(part))
            append(text, part);
}

void append_lower(std::string& text, char32_t c)
{
    if (c == 0x130) // the only one whose lower case is two
        text += "i\u0307";
    else
        append(text, static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))));
}

std::string python_lower(std::string_view text)
{
    std::string result;
    icu::StringByteSink sink(&result, static_cast<std::int32_t>(text.size()));
    UErrorCode error = U_ZERO_ERROR;
    icu::CaseMap::utf8ToLower("", 0,
                              icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())),
                              sink, nullptr, error);
    return result;
}

std::string_view without_outer_space(std::string_view text, bool left, bool right)
{
    for (std::size_t at = 0; left && at < text.size() && is_space(next_character(text, at)); at = 0)
        text.remove_prefix(at);
    while (right && !text.empty()) {
        std::size_t begin = text.size() - 1;
        while (begin > 0 && (text[begin] & 0xC0) == 0x80)
            --begin;
        std::size_t at = begin;
        if (!is_space(next_character(text, at)))
            break;
        text = text.substr(0, begin);
    }
    return text;
}

std::string_view python_strip(std::string_view text)
{
    const auto is_separator = [](char c) { return c >= 0x1C && c <= 0x1F; };
    for (std::size_t before = text.size() + 1; before != text.size();) {
        before = text.size();
        text = without_outer_space(text, true, true);
        while (!text.empty() && is_separator(text.front()))
            text.remove_prefix(1);
        while (!text.empty() && is_separator(text.back()))
            text.remove_suffix(1);
    }
    return text;
}

} // namespace senteval::model_files
