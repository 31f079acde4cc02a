#include "encoder/claims.hpp"

#include "encoder/row_order.hpp"
#include "encoder/sentences.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::encoder {
namespace {

class ClaimsCheck {
public:
    ClaimsCheck(Encoder& encoder, const Encoded& encoded, const CallContext& context)
        : encoder_(encoder),
          encoded_(encoded),
          context_(context),
          dimension_(encoded.sentences.empty() ? 0 : encoded.vector(0).size())
    {
    }

    void run()
    {
        if (encoded_.sentences.size() < fewest)
            return;
        const Capabilities can = encoder_.capabilities();
        if (can.batch_invariant) {
            if (can.concurrent && encoded_.overlapped)
                compare(neighbours(), "in a part of the same batch, by itself");
            const auto sample = choose();
            for (std::size_t i = sample.size() / 2; i < sample.size(); ++i)
                compare({sample[i]}, "alone");
            compare({sample.rbegin(), sample.rend()}, "in another order");
        } else if (can.concurrent && can.deterministic && encoded_.overlapped) {
            compare(batch_of(encoded_.sentences.size() / 2), "in the same batch, by itself");
        }
    }

private:
    static constexpr std::size_t fewest = 8; ///< sentences of which some are encoded again

    /// Sentences from the first, which is the shortest, to the last, which is the longest: padding and a cold start
    /// are seen there. Few where they are long.
    [[nodiscard]] std::vector<std::size_t> choose() const
    {
        constexpr std::size_t share = 512;
        constexpr std::size_t least = 2;
        constexpr std::size_t most = 8;
        constexpr std::size_t most_bytes = 4096;
        const std::size_t size = encoded_.sentences.size();
        const std::size_t count = std::min(size / fewest, std::clamp(size / share, least, most));
        std::vector<std::size_t> chosen;
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t number = count == 1 ? size / 2 : i * (size - 1) / (count - 1);
            bytes += encoded_.sentences[number].text.size();
            if (bytes > most_bytes && !chosen.empty())
                break;
            chosen.push_back(number);
        }
        return chosen;
    }

    /// One of 64 sentences, together in one batch: a race often spoils one row of it only.
    [[nodiscard]] std::vector<std::size_t> neighbours() const
    {
        constexpr std::size_t share = 64;
        auto numbers = batch_of(encoded_.sentences.size() / 2);
        numbers.resize(
            std::min(numbers.size(), std::max(encoded_.sentences.size() / share, fewest)));
        return numbers;
    }

    [[nodiscard]] std::vector<std::size_t> batch_of(std::size_t number) const
    {
        const std::size_t begin = number / encoded_.batch_size * encoded_.batch_size;
        const std::size_t end = std::min(begin + encoded_.batch_size, encoded_.sentences.size());
        std::vector<std::size_t> numbers;
        for (std::size_t i = begin; i < end; ++i)
            numbers.push_back(i);
        return numbers;
    }

    [[nodiscard]] std::vector<float> encode(const std::vector<std::size_t>& numbers)
    {
        std::vector<std::string> texts; // at other addresses
        texts.reserve(numbers.size());
        for (const std::size_t number : numbers)
            texts.emplace_back(encoded_.sentences[number].text);
        std::vector<text::Sentence> sentences;
        sentences.reserve(numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i)
            sentences.emplace_back(encoded_.sentences[numbers[i]]).text = texts[i];
        std::vector<float> vectors(numbers.size() * dimension_);
        encoder_.encode(sentences, vectors.data(), context_);
        return vectors;
    }

    void compare(const std::vector<std::size_t>& numbers, std::string_view how)
    {
        const std::vector<float> again = encode(numbers);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const auto before = encoded_.vector(numbers[i]);
            const auto now = std::span(again).subspan(i * dimension_, dimension_);
            if (const auto at = beyond_rounding(before, now))
                fail(numbers[i], *at, before[*at], now[*at], how);
        }
    }

    [[noreturn]] void
    fail(std::size_t number, std::size_t element, float before, float now, std::string_view how)
    {
        const bool raced = is_race(number);
        if (!raced)
            require_order(number);
        throw BrokenClaim(
            "{}: element {} of the vector of {} was {}, and is {} encoded again {}. Where that is "
            "meant, {} (rule {} of encoder.h; 'senteval check' looks closer)",
            raced ? "batches that are encoded at the same time have not the vectors that they have "
                    "one by one"
                  : "a sentence has not always the same vector",
            element + 1, shown(encoded_.sentences[number].text), before, now, how,
            raced ? "the encoder must not say CONCURRENT_BATCHER, or --set processes=1 of a client"
                  : "the encoder must not say BATCH_INVARIANT, nor a client batch_invariant",
            raced ? "12.2" : "12.1");
    }

    /// The commonest reason has words of its own: a batch that was sorted and not put back.
    void require_order(std::size_t number)
    {
        const auto batch = batch_of(number);
        arma::fmat rows(dimension_, batch.size());
        arma::fmat alone(dimension_, batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i) {
            std::ranges::copy(encoded_.vector(batch[i]), rows.colptr(i));
            std::ranges::copy(encode({batch[i]}), alone.colptr(i));
        }
        const std::string wrong = wrong_order(
            alone, rows, [&](std::size_t i) { return encoded_.sentences[batch[i]].text; });
        if (!wrong.empty())
            throw BrokenClaim("{}", wrong);
    }

    /// Whether the same batch gives something else when it runs by itself.
    bool is_race(std::size_t number)
    {
        if (!encoder_.capabilities().concurrent || !encoded_.overlapped)
            return false;
        const auto batch = batch_of(number);
        const auto row = [&](const std::vector<float>& vectors) {
            return std::span(vectors).subspan((number - batch.front()) * dimension_, dimension_);
        };
        const std::vector<float> again = encode(batch);
        return beyond_rounding(encoded_.vector(number), row(again)) &&
               !beyond_rounding(row(again), row(encode(batch))); // else it is by chance
    }

    Encoder& encoder_;
    const Encoded& encoded_;
    const CallContext& context_;
    std::size_t dimension_;
};

} // namespace

std::optional<std::size_t> beyond_rounding(std::span<const float> a, std::span<const float> b)
{
    constexpr float tolerance = 1e-3F;
    float size = 0;
    float most = 0;
    std::size_t at = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        size = std::max({size, std::fabs(a[k]), std::fabs(b[k])});
        const float apart = std::fabs(a[k] - b[k]);
        if (!std::isfinite(apart))
            return k;
        if (apart > most) {
            most = apart;
            at = k;
        }
    }
    if (most <= tolerance * size)
        return std::nullopt;
    return at;
}

void check_claims(Encoder& encoder, const Encoded& encoded, const CallContext& context)
{
    ClaimsCheck(encoder, encoded, context).run();
}

} // namespace senteval::encoder
