#include "data/characters.hpp"

#include "core/error.hpp"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <utf8.h>

#include <iterator>

namespace senteval::data {
namespace {

UChar32 icu(char32_t c)
{
    return static_cast<UChar32>(c);
}

void require_valid(std::string_view utf8)
{
    const auto bad = utf8::find_invalid(utf8.begin(), utf8.end());
    if (bad != utf8.end())
        throw core::Error("byte {} of the line is not UTF-8", bad - utf8.begin() + 1);
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
    require_valid(bytes);
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

std::string case_folded(std::string_view utf8)
{
    require_valid(utf8);
    std::u16string text;
    utf8::unchecked::utf8to16(utf8.begin(), utf8.end(), std::back_inserter(text));
    UErrorCode code = U_ZERO_ERROR;
    const UNormalizer2* rules = unorm2_getNFKCCasefoldInstance(&code);
    std::u16string folded(text.size(), u'\0');
    const auto fold = [&] {
        return unorm2_normalize(rules, text.data(), static_cast<std::int32_t>(text.size()),
                                folded.data(), static_cast<std::int32_t>(folded.size()), &code);
    };
    std::int32_t length = fold();
    if (code == U_BUFFER_OVERFLOW_ERROR) {
        code = U_ZERO_ERROR;
        folded.resize(static_cast<std::size_t>(length));
        length = fold();
    }
    if (U_FAILURE(code))
        throw core::Error("ICU cannot fold case: {}", u_errorName(code));
    folded.resize(static_cast<std::size_t>(length));
    std::string bytes;
    utf8::unchecked::utf16to8(folded.begin(), folded.end(), std::back_inserter(bytes));
    return bytes;
}

} // namespace senteval::data
