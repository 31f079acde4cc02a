#include "data/characters.hpp"

#include "core/error.hpp"

#include <unicode/uchar.h>
#include <utf8.h>

#include <iterator>

namespace senteval::data {
namespace {

UChar32 icu(char32_t c)
{
    return static_cast<UChar32>(c);
}

} // namespace

bool is_letter(char32_t c)
{
    return u_isUAlphabetic(icu(c)) != 0;
}

bool is_number(char32_t c)
{
    return (U_GET_GC_MASK(icu(c)) & U_GC_N_MASK) != 0;
}

bool is_letter_or_digit(char32_t c)
{
    return is_letter(c) || u_charType(icu(c)) == U_DECIMAL_DIGIT_NUMBER;
}

bool is_lower_case(char32_t c)
{
    return u_isULowercase(icu(c)) != 0;
}

bool is_space(char32_t c)
{
    return u_isUWhiteSpace(icu(c)) != 0;
}

std::u32string decode_utf8(std::string_view bytes)
{
    const auto bad = utf8::find_invalid(bytes.begin(), bytes.end());
    if (bad != bytes.end())
        throw core::Error("byte {} of the line is not UTF-8", bad - bytes.begin() + 1);
    std::u32string text;
    text.reserve(bytes.size());
    utf8::unchecked::utf8to32(bytes.begin(), bytes.end(), std::back_inserter(text));
    return text;
}

std::string encode_utf8(std::u32string_view text)
{
    std::string bytes;
    bytes.reserve(text.size());
    utf8::unchecked::utf32to8(text.begin(), text.end(), std::back_inserter(bytes));
    return bytes;
}

std::string lower_case(std::string_view utf8)
{
    constexpr char32_t dotted_capital_i =
        0x130; // the one letter whose lower case is two characters
    constexpr char32_t dot_above = 0x307;
    std::u32string result;
    for (const char32_t c : decode_utf8(utf8)) {
        if (c == dotted_capital_i) {
            result += U'i';
            result += dot_above;
        } else {
            result += static_cast<char32_t>(u_tolower(icu(c)));
        }
    }
    return encode_utf8(result);
}

} // namespace senteval::data
