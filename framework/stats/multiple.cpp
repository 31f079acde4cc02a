#include "stats/multiple.hpp"

#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <numbers>
#include <numeric>

namespace senteval::stats {
namespace {

std::vector<std::size_t> ascending(std::span<const double> p_values)
{
    std::vector<std::size_t> order(p_values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return p_values[at]; });
    return order;
}

} // namespace

std::vector<double> holm(std::span<const double> p_values)
{
    std::vector<double> result(p_values.size());
    double least = 0;
    auto left = static_cast<double>(p_values.size());
    for (const std::size_t at : ascending(p_values)) {
        least = std::max(least, std::min(1.0, left * p_values[at]));
        result[at] = least;
        left -= 1;
    }
    return result;
}

std::vector<double> holm_levels(std::span<const double> p_values, double level)
{
    std::vector<double> levels(p_values.size());
    auto left = static_cast<double>(p_values.size());
    bool rejects = true;
    for (const std::size_t at : ascending(p_values)) {
        levels[at] = level / left;
        rejects = rejects && p_values[at] < levels[at];
        left -= rejects ? 1 : 0;
    }
    return levels;
}

namespace {

using Group = std::vector<bool>; ///< which of the things are in it

bool is_within(const Group& part, const Group& whole)
{
    for (std::size_t i = 0; i < part.size(); ++i)
        if (part[i] && !whole[i])
            return false;
    return true;
}

/// Keeps the groups that no other holds.
void absorb(std::vector<Group>& groups)
{
    for (std::size_t at = groups.size(); at-- > 0;)
        for (std::size_t other = 0; other < groups.size(); ++other)
            if (other != at && is_within(groups[at], groups[other])) {
                groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(at));
                break;
            }
}

std::string letter(std::size_t number)
{
    constexpr std::size_t alphabet = 26;
    std::string text;
    for (std::size_t rest = number + 1; rest > 0; rest = (rest - 1) / alphabet)
        text.insert(text.begin(), static_cast<char>('a' + (rest - 1) % alphabet));
    return number < alphabet ? text : "(" + text + ")";
}

} // namespace

std::vector<std::string> group_letters(const std::vector<std::vector<bool>>& different)
{
    const std::size_t count = different.size();
    std::vector<Group> groups{Group(count, true)};
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b) {
            if (!different[a][b])
                continue;
            std::vector<Group> split;
            for (const Group& group : groups) {
                split.push_back(group);
                if (!group[a] || !group[b])
                    continue;
                split.back()[a] = false;
                split.push_back(group);
                split.back()[b] = false;
            }
            absorb(split);
            groups = std::move(split);
        }
    // Order by the first member, and the first that one has and the other lacks.
    std::sort(groups.begin(), groups.end(), std::greater<>());
    std::vector<std::string> letters(count);
    for (std::size_t number = 0; number < groups.size(); ++number)
        for (std::size_t i = 0; i < count; ++i)
            if (groups[number][i])
                letters[i] += letter(number);
    return letters;
}

namespace {

// The trapezoidal rule converges exponentially over log x, for density and distribution are smooth there. With more
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
    // Density of log s, s² being chi-squared over its degrees of freedom:
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
