#include "word_vectors/text_case.hpp"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <utility>

namespace senteval::word_vectors {

namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion" // inside ICU's macros
/// The character at `at`, which moves behind it; negative where there is no valid UTF-8.
UChar32 next_character(std::string_view text, std::size_t& at)
{
    UChar32 character = 0;
    U8_NEXT(text.data(), at, text.size(), character);
    return character;
}

void append(std::string& text, UChar32 character)
{
    char encoded[U8_MAX_LENGTH];
    std::size_t size = 0;
    U8_APPEND_UNSAFE(encoded, size, character);
    text.append(encoded, size);
}
#pragma GCC diagnostic pop

/// Appends the first character of `text`, mapped, to `result`; returns how many bytes it had.
std::size_t append_mapped(std::string& result, std::string_view text, UChar32 (*map)(UChar32))
{
    std::size_t read = 0;
    if (const UChar32 character = next_character(text, read); character < 0)
        result += text.substr(0, read);
    else
        append(result, map(character));
    return read;
}

bool is_ascii(std::string_view text)
{
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_utf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        if (next_character(text, at) < 0)
            return false;
    }
    return true;
}

/// In a normal form of Unicode; as it is where it is no UTF-8.
std::string normal_form(std::string_view text, const icu::Normalizer2* (*form)(UErrorCode&))
{
    UErrorCode code = U_ZERO_ERROR;
    const icu::Normalizer2* const rules = form(code);
    std::string result;
    icu::StringByteSink<std::string> sink(&result);
    if (U_SUCCESS(code) && is_utf8(text))
        rules->normalizeUTF8(0, text, sink, nullptr, code);
    else
        return std::string(text);
    return U_SUCCESS(code) ? result : std::string(text);
}

std::string with_final_sigma(std::string word)
{
    constexpr std::string_view sigma = "\xCF\x83";
    if (word.size() > sigma.size() && word.ends_with(sigma))
        word.back() = '\x82';
    return word;
}

} // namespace

std::vector<std::string> further_spellings(std::string_view word)
{
    std::vector<std::string> spellings;
    if (is_ascii(word))
        return spellings;
    const auto add = [&](std::string spelling) {
        if (std::find(spellings.begin(), spellings.end(), spelling) == spellings.end())
            spellings.push_back(std::move(spelling));
    };
    for (const auto form : {&icu::Normalizer2::getNFCInstance, &icu::Normalizer2::getNFDInstance}) {
        const std::string base = normal_form(word, form);
        add(base);
        for (const std::string& spelling : {capitalised(base), lower_case(base)}) {
            add(spelling);
            add(with_final_sigma(spelling));
        }
    }
    return spellings;
}

std::size_t leading_white_space(std::string_view text)
{
    std::size_t read = 0;
    const UChar32 character = next_character(text, read);
    const bool is_space = character >= 0x80
                              ? u_isUWhiteSpace(character) != 0
                              : character == ' ' || (character >= '\t' && character <= '\r') ||
                                    (character >= 0x1C && character <= 0x1F);
    return is_space ? read : 0;
}

std::string lower_case(std::string_view text)
{
    std::string result;
    while (!text.empty())
        text.remove_prefix(append_mapped(result, text, u_tolower));
    return result;
}

std::string capitalised(std::string_view text)
{
    std::string result;
    if (!text.empty())
        text.remove_prefix(append_mapped(result, text, u_totitle));
    return result + lower_case(text);
}

} // namespace senteval::word_vectors
