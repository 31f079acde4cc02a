#include "stats/signs.hpp"

#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

namespace senteval::stats {
namespace {

constexpr std::size_t most_enumerated = 12;
constexpr double slack = 1e-10; ///< sums in another order

/// All patterns; by the symmetry the first item keeps its sign.
double p_of_patterns(std::span<const double> values, double sum, double largest)
{
    double count = 0;
    const std::uint32_t patterns = 1U << (values.size() - 1);
    for (std::uint32_t pattern = 0; pattern < patterns; ++pattern) {
        double other = values[0];
        for (std::size_t i = 1; i < values.size(); ++i)
            other += (pattern >> (i - 1) & 1U) != 0 ? -values[i] : values[i];
        if (std::abs(std::abs(other) - sum) <= slack * largest)
            count += 0.5;
        else if (std::abs(other) > sum)
            count += 1;
    }
    return count / patterns;
}

/// The logarithm of the mean of exp(t * signed sum).
double cumulant(std::span<const double> values, double t)
{
    double sum = 0;
    for (const double value : values) {
        const double x = std::abs(t * value);
        sum += x + std::log1p(std::exp(-2 * x)) - std::numbers::ln2;
    }
    return sum;
}

/// Its derivatives.
struct Cumulants {
    double first = 0;
    double second = 0;

    Cumulants(std::span<const double> values, double t)
    {
        for (const double value : values) {
            const double tanh = std::tanh(std::abs(t * value));
            first += std::abs(value) * tanh;
            second += value * value * (1 - tanh * tanh);
        }
    }
};

/// The t at which the tilted sum is expected to be `sum`: bisection, as Newton's steps overshoot far out.
double saddlepoint(std::span<const double> values, double sum, double largest)
{
    double low = 0;
    double high = 1 / largest;
    for (int step = 0; step < 60 && Cumulants(values, high).first < sum; ++step) {
        low = high;
        high *= 2;
    }
    double t = (low + high) / 2;
    for (int step = 0; step < 60; ++step) {
        const Cumulants at(values, t);
        (at.first < sum ? low : high) = t;
        const double newton = t + (sum - at.first) / at.second;
        const double next = newton > low && newton < high ? newton : (low + high) / 2;
        if (std::abs(next - t) <= 1e-10 * t)
            return next;
        t = next;
    }
    return t;
}

/// The values as multiples of what they share, as answers that are right or wrong have it; empty where they share
/// nothing, or the multiples are many.
std::vector<std::size_t> multiples(std::span<const double> values)
{
    constexpr int most_parts = 12; // of the smallest: a mean over as many seeds
    constexpr double most_steps = 4096;
    constexpr double rounding = 1e-7;
    const double smallest = std::abs(
        *std::ranges::min_element(values, {}, [](double value) { return std::abs(value); }));
    std::vector<std::size_t> steps(values.size());
    for (int parts = 1; parts <= most_parts; ++parts) {
        const double unit = smallest / parts;
        double all = 0;
        std::size_t at = 0;
        for (; at < values.size(); ++at) {
            const double exact = std::abs(values[at]) / unit;
            const double whole = std::round(exact);
            if (std::abs(exact - whole) > rounding * exact || (all += whole) > most_steps)
                break;
            steps[at] = static_cast<std::size_t>(whole);
        }
        if (at == values.size())
            return steps;
    }
    return {};
}

/// Over all patterns, which are counted by their sums.
double p_of_steps(const std::vector<std::size_t>& steps, std::span<const double> values)
{
    const std::size_t all = std::accumulate(steps.begin(), steps.end(), std::size_t{0});
    std::vector<double> share(all + 1); // of the patterns: by the sum of those with the sign -
    share[0] = 1;
    std::size_t reached = 0;
    std::size_t minus = 0;
    for (std::size_t item = 0; item < steps.size(); ++item) {
        reached += steps[item];
        minus += values[item] < 0 ? steps[item] : 0;
        for (std::size_t sum = reached + 1; sum-- > 0;)
            share[sum] = (share[sum] + (sum >= steps[item] ? share[sum - steps[item]] : 0)) / 2;
    }
    const std::size_t tail = std::min(minus, all - minus);
    const double beyond =
        std::accumulate(share.begin(), share.begin() + static_cast<std::ptrdiff_t>(tail), 0.0);
    return 2 * tail == all ? 1.0 : 2 * beyond + share[tail];
}

/// By the saddlepoint, as if sums lay densely.
double p_of_sum(std::span<const double> values, double sum, double largest)
{
    const double t = saddlepoint(values, sum, largest);
    const double w = std::sqrt(std::max(0.0, 2 * (t * sum - cumulant(values, t))));
    const double u = t * std::sqrt(Cumulants(values, t).second);
    constexpr double middle = 1e-3; // where w and u are the same but for their rounding
    const double z = w > middle && u > 0 ? w + std::log(u / w) / w : w;
    return boost::math::erfc(z / std::numbers::sqrt2);
}

/// `is_exact`: where sums lie on a grid, by counting; the p-values of differences a little apart then need not be
/// a little apart.
double p_value_of(std::span<const double> contributions, bool is_exact)
{
    double largest = 0;
    for (const double value : contributions)
        largest += std::abs(value);
    std::vector<double> values(contributions.begin(), contributions.end());
    std::erase_if(values, [&](double value) { return std::abs(value) <= slack * largest; });
    const double sum = std::abs(std::accumulate(values.begin(), values.end(), 0.0));
    if (values.empty() || sum <= slack * largest)
        return 1;
    if (values.size() <= most_enumerated)
        return p_of_patterns(values, sum, largest);
    const double rarest = std::exp2(-static_cast<double>(values.size()));
    if (sum >= (1 - slack) * largest)
        return rarest;
    if (const auto steps = is_exact ? multiples(values) : std::vector<std::size_t>();
        !steps.empty())
        return std::clamp(p_of_steps(steps, values), rarest, 1.0);
    return std::clamp(p_of_sum(values, sum, largest), rarest, 1.0);
}

} // namespace

double sign_flip_p_value(std::span<const double> contributions)
{
    return p_value_of(contributions, true);
}

Interval sign_flip_interval(std::span<const double> contributions, double level)
{
    const auto n = static_cast<double>(contributions.size());
    const double sum = std::accumulate(contributions.begin(), contributions.end(), 0.0);
    const auto p_of = [&](double difference) {
        std::vector<double> less(contributions.begin(), contributions.end());
        for (double& value : less)
            value -= difference / n;
        return p_value_of(less, false);
    };
    double spread = 0;
    for (const double value : contributions)
        spread += (value - sum / n) * (value - sum / n);
    spread = std::sqrt(spread);
    if (!(spread > 0))
        return {sum, sum};
    // How much more p is than the level, on a scale that is nearly straight: regula falsi (Illinois).
    const auto excess = [&](double units, double direction) {
        const auto z = [](double p) { return std::sqrt(-2 * std::log(p)); };
        return z(level) - z(p_of(sum + direction * units * spread));
    };
    const auto end = [&](double direction) {
        double inside = 0; // in units of the spread
        double above = excess(inside, direction);
        double outside = 2;
        double below = excess(outside, direction);
        for (; below > 0; below = excess(outside, direction)) {
            inside = outside;
            above = below;
            outside *= 2;
            if (outside > 1000)
                return direction * std::numeric_limits<double>::infinity();
        }
        for (int step = 0; step < 60 && outside - inside > 1e-7 * outside; ++step) {
            const double middle = (inside * below - outside * above) / (below - above);
            const double at = excess(middle, direction);
            if (at > 0) {
                inside = middle;
                above = at;
                below /= 2;
            } else {
                outside = middle;
                below = at;
                above /= 2;
            }
        }
        return sum + direction * outside * spread;
    };
    Interval interval{end(-1), end(1)};
    // The verdict on 0 itself is the p-value's, whichever way rounding would put the end.
    const bool told = sign_flip_p_value(contributions) <= level;
    double& near = sum > 0 ? interval.low : interval.high;
    if (told == (near * sum <= 0))
        near = told ? std::copysign(std::numeric_limits<double>::min(), sum) : 0.0;
    return interval;
}

} // namespace senteval::stats
