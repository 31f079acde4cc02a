#include "same/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace senteval::same {

Numbers all_of(const std::vector<std::string>& texts)
{
    Numbers numbers(texts.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
}

Gap gap_of(std::span<const float> a, std::span<const float> b)
{
    double product = 0;
    double of_a = 0;
    double of_b = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        product += static_cast<double>(a[i]) * b[i];
        of_a += static_cast<double>(a[i]) * a[i];
        of_b += static_cast<double>(b[i]) * b[i];
    }
    if (of_a == 0 || of_b == 0)
        return of_a == of_b ? Gap{} : Gap{1, 1};
    return {std::max(0.0, 1 - product / std::sqrt(of_a * of_b)),
            1 - std::sqrt(std::min(of_a, of_b) / std::max(of_a, of_b))};
}

std::vector<Gap> gaps_of(const Answers& a, const Answers& b, const Numbers& texts)
{
    std::vector<Gap> gaps;
    for (const std::size_t text : texts)
        gaps.push_back(gap_of(a.vector(text), b.vector(text)));
    return gaps;
}

double quantile(const std::vector<Gap>& gaps, double share, double Gap::*part)
{
    std::vector<double> values;
    for (const Gap& gap : gaps)
        values.push_back(gap.*part);
    std::ranges::sort(values);
    return values.empty()
               ? 0
               : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

Limits limits_of(const std::vector<Gap>& again)
{
    constexpr double most = .9;
    const Limits usual;
    return {std::max(usual.direction, 3 * quantile(again, most)),
            std::max(usual.length, 3 * quantile(again, most, &Gap::length))};
}

bool is_zero(std::span<const float> vector)
{
    return std::ranges::all_of(vector, [](float value) { return value == 0; });
}

double usual_distance(const Answers& answers, const Numbers& texts)
{
    std::vector<Gap> gaps;
    for (std::size_t i = 0; i < texts.size(); ++i)
        gaps.push_back(gap_of(answers.vector(texts[i]),
                              answers.vector(texts[(i + texts.size() / 2) % texts.size()])));
    return texts.size() < 2 ? 1 : quantile(gaps, .5);
}

bool are_unit(const Answers& answers, const Numbers& texts)
{
    constexpr double rounded = .01; // a norm of bfloat16
    return std::ranges::all_of(texts, [&](std::size_t text) {
        double squares = 0;
        for (const float value : answers.vector(text))
            squares += static_cast<double>(value) * value;
        return squares == 0 || std::abs(std::sqrt(squares) - 1) <= rounded;
    });
}

Numbers of_other_texts(const Answers& own,
                       const Answers& seen,
                       const Numbers& texts,
                       const Numbers& among,
                       const Limits& limits)
{
    Numbers found;
    for (const std::size_t text : texts) {
        const auto has = [&](std::size_t other) {
            return limits.hold(gap_of(own.vector(other), seen.vector(text)));
        };
        if (!is_zero(seen.vector(text)) && !has(text) && std::ranges::any_of(among, has))
            found.push_back(text);
    }
    return found;
}

bool is_rounding(const std::vector<Gap>& gaps)
{
    constexpr double single = 1e-6; // sums of float32 in another order leave less
    constexpr double small = .02;
    constexpr double spread = 10;
    const double least = quantile(gaps, .1);
    const double most = quantile(gaps, .9);
    return single < least && most <= small && most <= spread * least;
}

} // namespace senteval::same
