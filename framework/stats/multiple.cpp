#include "stats/multiple.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
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
