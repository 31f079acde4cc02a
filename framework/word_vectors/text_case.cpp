#include "word_vectors/text_case.hpp"

#include "base/unicode.hpp"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <utility>

namespace senteval::word_vectors {

namespace {

/// Appends the first character of `text`, mapped, to `result`; returns how many bytes it had.
std::size_t append_mapped(std::string& result, std::string_view text, UChar32 (*map)(UChar32))
{
    std::size_t read = 0;
    if (const UChar32 character = base::next_character(text, read); character < 0)
        result += text.substr(0, read);
    else
        base::append_character(result, static_cast<char32_t>(map(character)));
    return read;
}

bool is_ascii(std::string_view text)
{
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// The text in a normal form of Unicode; as it is where it is no UTF-8.
std::string normal_form(std::string_view text, const icu::Normalizer2* (*form)(UErrorCode&))
{
    UErrorCode code = U_ZERO_ERROR;
    const icu::Normalizer2* const rules = form(code);
    std::string result;
    icu::StringByteSink<std::string> sink(&result);
    if (U_SUCCESS(code) && base::find_invalid_utf8(text) == text.npos)
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
        const std::string normal = normal_form(word, form);
        add(normal);
        for (const std::string& spelling : {capitalised(normal), lower_case(normal)}) {
            add(spelling);
            add(with_final_sigma(spelling));
        }
    }
    return spellings;
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
