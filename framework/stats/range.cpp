#include "stats/range.hpp"

#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numbers>

namespace senteval::stats {
namespace {

// Over log x the trapezoidal rule converges exponentially, for density and distribution are smooth there. Of more
// degrees of freedom than `most_freedom` the density is narrower than the step, and s is 1 to five digits.
constexpr double first_log = -5;
constexpr double step = 0.005;
constexpr double least = 1e-300;
constexpr double most_freedom = 1e4;

double normal_below(double x)
{
    return boost::math::erfc(-x / std::numbers::sqrt2) / 2;
}

/// P(range of `count` standard normal values > x): the largest lies at z, and not all others within x below it.
double range_beyond(double x, double others)
{
    constexpr double width = 0.25;
    double sum = 0;
    for (double z = -10; z <= 38; z += width) {
        const double below = normal_below(z);
        const double weight = width * (others + 1) * std::exp(-z * z / 2) /
                              std::sqrt(2 * std::numbers::pi) * std::pow(below, others);
        if (z > x && weight < 1e-18 * sum)
            break;
        if (weight > 0)
            sum += weight * -std::expm1(others * std::log1p(-normal_below(z - x) / below));
    }
    return std::min(sum, 1.0);
}

} // namespace

StudentisedRange::StudentisedRange(std::size_t count)
{
    while (beyond_.empty() || beyond_.back() > least)
        beyond_.push_back(
            range_beyond(std::exp(first_log + step * static_cast<double>(beyond_.size())),
                         static_cast<double>(count) - 1));
}

double StudentisedRange::beyond(double q, double freedom) const
{
    if (!(q > 0))
        return 1;
    const double start = first_log - std::log(q); // log s = log x - log q
    if (freedom > most_freedom) {
        const double at = -start / step;
        const auto below = static_cast<std::size_t>(std::max(0.0, at));
        if (at < 0 || below + 1 >= beyond_.size())
            return at < 0 ? 1.0 : least;
        const double rest = at - static_cast<double>(below);
        return std::exp((1 - rest) * std::log(beyond_[below]) +
                        rest * std::log(beyond_[below + 1]));
    }
    // Of log s, s² being chi-squared over its degrees of freedom:
    const double half = freedom / 2;
    const double constant = std::log(2.0) + half * std::log(half) - boost::math::lgamma(half);
    double sum = 0;
    double mass = 0; // of s below the table, where all is beyond
    for (std::size_t i = 0; i < beyond_.size(); ++i) {
        const double t = start + step * static_cast<double>(i);
        const double density = std::exp(constant + freedom * t - half * std::exp(2 * t));
        sum += step * density * beyond_[i];
        if (i == 0)
            mass = density / freedom;
    }
    return std::clamp(sum + mass, std::numeric_limits<double>::min(), 1.0);
}

double StudentisedRange::quantile(double probability, double freedom) const
{
    double low = 0;
    double high = 1;
    while (beyond(high, freedom) > probability && high < 1e6)
        high *= 2;
    while (high - low > 1e-10 * high) {
        const double middle = (low + high) / 2;
        (beyond(middle, freedom) > probability ? low : high) = middle;
    }
    return (low + high) / 2;
}

const StudentisedRange& studentised_range(std::size_t count)
{
    static std::mutex mutex;
    static std::map<std::size_t, StudentisedRange> made;
    const std::lock_guard lock(mutex);
    return made.try_emplace(count, count).first->second;
}

} // namespace senteval::stats
