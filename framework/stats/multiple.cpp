#include "stats/multiple.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace senteval::stats {

std::vector<double> holm(std::span<const double> p_values)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < p_values.size(); ++i)
        if (!std::isnan(p_values[i]))
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
    std::vector<double> result(p_values.begin(), p_values.end());
    double least = 0;
    for (std::size_t step = 0; step < order.size(); ++step) {
        const auto left = static_cast<double>(order.size() - step);
        least = std::max(least, std::min(1.0, left * p_values[order[step]]));
        result[order[step]] = least;
    }
    return result;
}

double false_discovery_rate(std::span<const double> ascending, double p)
{
    const auto m = static_cast<double>(ascending.size());
    constexpr double rounding = 1e-9; // of the same p, that two orders of summands gave
    double least = 1;
    for (std::size_t i = ascending.size(); i-- > 0 && ascending[i] >= p * (1 - rounding);)
        least = std::min(least, m * ascending[i] / static_cast<double>(i + 1));
    return std::max(least, p);
}

double selected_level(std::span<const double> ascending, double level)
{
    const auto m = static_cast<double>(ascending.size());
    std::size_t rejected = 0;
    for (std::size_t i = 0; i < ascending.size(); ++i)
        if (ascending[i] * m <= level * static_cast<double>(i + 1))
            rejected = i + 1;
    return ascending.empty() ? level
                             : level * static_cast<double>(std::max<std::size_t>(1, rejected)) / m;
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
    // By the first member, and the first that one has and the other lacks.
    std::sort(groups.begin(), groups.end(), std::greater<>());
    std::vector<std::string> letters(count);
    for (std::size_t number = 0; number < groups.size(); ++number)
        for (std::size_t i = 0; i < count; ++i)
            if (groups[number][i])
                letters[i] += letter(number);
    return letters;
}

} // namespace senteval::stats
