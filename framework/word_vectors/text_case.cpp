#include "word_vectors/text_case.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

namespace senteval::word_vectors {

namespace {

/// Appends the first character of `text`, mapped, to `result`; returns how many bytes it had.
template <typename Map>
std::size_t append_mapped(std::string& result, std::string_view text, Map&& map)
{
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
    utf8proc_int32_t character = -1;
    const utf8proc_ssize_t read =
        utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &character);
    if (read < 1) {
        result += text.front();
        return 1;
    }
    std::array<utf8proc_uint8_t, 4> encoded{};
    const utf8proc_ssize_t size = utf8proc_encode_char(map(character), encoded.data());
    result.append(reinterpret_cast<const char*>(encoded.data()), static_cast<std::size_t>(size));
    return static_cast<std::size_t>(read);
}

bool is_ascii(std::string_view text)
{
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// In a normal form of Unicode; as it is where it is no UTF-8.
std::string normal_form(std::string_view text, utf8proc_option_t form)
{
    utf8proc_uint8_t* result = nullptr;
    const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | form);
    const utf8proc_ssize_t size =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                     static_cast<utf8proc_ssize_t>(text.size()), &result, options);
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(result, &std::free);
    return size < 0
               ? std::string(text)
               : std::string(reinterpret_cast<const char*>(result), static_cast<std::size_t>(size));
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
    for (const auto form : {UTF8PROC_COMPOSE, UTF8PROC_DECOMPOSE}) {
        const std::string base = normal_form(word, form);
        add(base);
        for (const std::string& spelling : {capitalised(base), lower_case(base)}) {
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
        text.remove_prefix(append_mapped(result, text, utf8proc_tolower));
    return result;
}

std::string capitalised(std::string_view text)
{
    std::string result;
    if (!text.empty())
        text.remove_prefix(append_mapped(result, text, utf8proc_totitle));
    return result + lower_case(text);
}

} // namespace senteval::word_vectors
