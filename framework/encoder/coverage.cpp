#include "encoder/coverage.hpp"

#include "encoder/sentences.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace senteval::encoder {
namespace {

struct Known {
    std::uint64_t all = 0;
    std::uint64_t known = 0;
};

/// Nothing where the encoder does not tell.
std::optional<Known> known_words(Encoder& encoder, std::span<const text::Sentence> sentences)
{
    constexpr std::size_t step = 4096;
    std::vector<std::uint32_t> tokens(step);
    std::vector<std::uint32_t> known(step);
    Known sum;
    for (std::size_t at = 0; at < sentences.size(); at += step) {
        const auto part = sentences.subspan(at, std::min(step, sentences.size() - at));
        if (!encoder.count_known(part, {tokens.data(), part.size()}, {known.data(), part.size()}))
            return std::nullopt;
        const auto end = static_cast<std::ptrdiff_t>(part.size());
        sum.all = std::accumulate(tokens.begin(), tokens.begin() + end, sum.all);
        sum.known = std::accumulate(known.begin(), known.begin() + end, sum.known);
    }
    return sum;
}

} // namespace

std::optional<Coverage> coverage_of(Encoder& encoder, std::span<const text::Sentence> sentences)
{
    const auto tokens = known_words(encoder, sentences);
    if (!tokens)
        return std::nullopt;
    const Known types = known_words(encoder, distinct_tokens(sentences)).value_or(Known{});
    return Coverage{tokens->all, tokens->known, types.all, types.known};
}

} // namespace senteval::encoder
