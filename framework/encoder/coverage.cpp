#include "encoder/coverage.hpp"

#include "base/parallel.hpp"
#include "encoder/sentences.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <numeric>

namespace senteval::encoder {
namespace {

std::uint64_t sum(const std::vector<std::uint32_t>& counts)
{
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

} // namespace

std::optional<KnownWords>
known_words(Encoder& encoder, std::span<const text::Sentence> sentences, unsigned threads)
{
    threads = encoder.capabilities().concurrent ? std::max(threads, 1U) : 1;
    // Few calls, since an encoder may be far away, but something to do for each thread.
    constexpr std::size_t fewest = 512;
    constexpr std::size_t most = 4096;
    const std::size_t step = std::clamp(sentences.size() / threads + 1, fewest, most);
    KnownWords words{std::vector<std::uint32_t>(sentences.size()),
                     std::vector<std::uint32_t>(sentences.size())};
    std::atomic<bool> tells = true;
    base::parallel_for((sentences.size() + step - 1) / step, threads, [&](std::size_t part) {
        const std::size_t at = part * step;
        const std::size_t count = std::min(step, sentences.size() - at);
        if (tells && !encoder.count_known(sentences.subspan(at, count),
                                          std::span(words.tokens).subspan(at, count),
                                          std::span(words.known).subspan(at, count)))
            tells = false;
    });
    return tells ? std::optional(std::move(words)) : std::nullopt;
}

std::optional<Coverage>
coverage_of(Encoder& encoder, std::span<const text::Sentence> sentences, unsigned threads)
{
    if (!known_words(encoder, sentences.first(std::min<std::size_t>(sentences.size(), 1)), 1))
        return std::nullopt;
    const auto tokens = known_words(encoder, sentences, threads);
    const auto types = known_words(encoder, distinct_tokens(sentences), threads);
    if (!tokens || !types)
        return std::nullopt;
    return Coverage{sum(tokens->tokens), sum(tokens->known), sum(types->tokens), sum(types->known)};
}

} // namespace senteval::encoder
