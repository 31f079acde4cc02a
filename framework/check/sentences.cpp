#include "check/sentences.hpp"

#include "check/services.hpp"
#include "encoder/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace senteval::check {

Sentences::Sentences(std::vector<std::string> texts) : texts_(std::move(texts))
{
    for (const std::string& text : texts_)
        views_.push_back({text.data(), text.size()});
}

std::string Sentences::shown() const
{
    constexpr std::size_t most = 3;
    std::string result = "[";
    for (std::size_t i = 0; i < std::min(size(), most); ++i)
        result += (i == 0 ? "" : ", ") + check::shown((*this)[i]);
    if (size() > most)
        result += fmt::format(", ... {} in all", size());
    return result + "]";
}

const std::vector<std::string>& ordinary_texts()
{
    static const std::vector<std::string> texts = {
        "a small dog runs along the river",
        "the cat sleeps on the warm stone",
        "rain",
        "we walk home before the rain begins .",
        "two birds sing in the old tree",
        "numbers such as 3 and 14 are words , too",
        "the cat sleeps",
        "old stones and warm rain , old friends and a long way home",
        "a",
        "\" who is there ? \" she asked -- and nobody answered",
        "dogs run",
    };
    return texts;
}

std::vector<std::string> many_texts(std::size_t count)
{
    const auto& texts = ordinary_texts();
    std::vector<std::string> many;
    for (std::size_t i = 0; i < count; ++i)
        many.push_back(texts[i % texts.size()] + " " + texts[(i * 7 + 3) % texts.size()] + " " +
                       texts[(i / 5 + 7) % texts.size()] + " " + std::to_string(i % 97));
    return many;
}

std::ptrdiff_t difference(std::span<const float> a, std::span<const float> b, bool bits)
{
    if (!bits) {
        const auto at = encoder::beyond_rounding(a, b);
        return at ? static_cast<std::ptrdiff_t>(*at) : -1;
    }
    for (std::size_t k = 0; k < a.size(); ++k)
        if (std::bit_cast<std::uint32_t>(a[k]) != std::bit_cast<std::uint32_t>(b[k]))
            return static_cast<std::ptrdiff_t>(k);
    return -1;
}

} // namespace senteval::check
