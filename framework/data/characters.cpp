#include "data/characters.hpp"

#include "base/error.hpp"
#include "base/unicode.hpp"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>

namespace senteval::data {
namespace {

UChar32 code_point(char32_t c)
{
    return static_cast<UChar32>(c);
}

} // namespace

bool is_letter(char32_t c)
{
    return u_isUAlphabetic(code_point(c)) != 0;
}

bool is_number(char32_t c)
{
    return (U_GET_GC_MASK(code_point(c)) & U_GC_N_MASK) != 0;
}

bool is_letter_or_digit(char32_t c)
{
    return is_letter(c) || u_charType(code_point(c)) == U_DECIMAL_DIGIT_NUMBER;
}

bool is_lower_case(char32_t c)
{
    return u_isULowercase(code_point(c)) != 0;
}

std::u32string decode_utf8(std::string_view bytes)
{
    std::u32string decoded;
    decoded.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t begin = at;
        const std::int32_t c = base::next_character(bytes, at);
        if (c < 0)
            throw base::Error("byte {} of the line is not UTF-8", begin + 1);
        decoded += static_cast<char32_t>(c);
    }
    return decoded;
}

std::string encode_utf8(std::u32string_view text)
{
    std::string bytes;
    for (const char32_t c : text)
        base::append_character(bytes, c);
    return bytes;
}

std::string lower_case(std::string_view utf8)
{
    std::string result;
    for (const char32_t c : decode_utf8(utf8))
        base::append_lower(result, c);
    return result;
}

std::string case_folded(std::string_view utf8)
{
    (void)decode_utf8(utf8); // throws where it is not UTF-8
    UErrorCode code = U_ZERO_ERROR;
    const icu::Normalizer2* const rules = icu::Normalizer2::getNFKCCasefoldInstance(code);
    std::string folded;
    icu::StringByteSink<std::string> sink(&folded);
    if (U_SUCCESS(code))
        rules->normalizeUTF8(0, utf8, sink, nullptr, code);
    if (U_FAILURE(code))
        throw base::Error("ICU cannot fold case: {}", u_errorName(code));
    return folded;
}

} // namespace senteval::data
