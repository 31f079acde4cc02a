#include "base/names.hpp"

#include "base/ascii.hpp"

#include <fmt/format.h>

#include <fnmatch.h>

#include <algorithm>
#include <vector>

namespace senteval::base {
namespace {

unsigned replacement_cost(char a, char b)
{
    if (a == b)
        return 0;
    return ascii_lower(a) == ascii_lower(b) ? 1 : 2;
}

/// Twice the optimal-string-alignment distance, so that a change of case can count half.
unsigned distance(std::string_view a, std::string_view b)
{
    const std::size_t width = b.size() + 1;
    std::vector<unsigned> cost((a.size() + 1) * width);
    const auto at = [&](std::size_t row, std::size_t column) -> unsigned& {
        return cost[row * width + column];
    };
    for (std::size_t row = 0; row <= a.size(); ++row) {
        for (std::size_t column = 0; column <= b.size(); ++column) {
            if (row == 0 || column == 0) {
                at(row, column) = static_cast<unsigned>(2 * (row + column));
                continue;
            }
            unsigned best = std::min(at(row - 1, column), at(row, column - 1)) + 2;
            best = std::min(best,
                            at(row - 1, column - 1) + replacement_cost(a[row - 1], b[column - 1]));
            if (row > 1 && column > 1 && a[row - 1] == b[column - 2] && a[row - 2] == b[column - 1])
                best = std::min(best, at(row - 2, column - 2) + 2);
            at(row, column) = best;
        }
    }
    return cost.back();
}

} // namespace

std::string folded(std::string_view name)
{
    std::string result;
    for (const char c : name)
        if (c != '-' && c != '_' && c != ' ')
            result.push_back(ascii_lower(c));
    return result;
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates)
{
    const std::size_t letters = name.size() - std::min(name.find_first_not_of('-'), name.size());
    const auto longer = std::ranges::find_if(candidates, [&](const std::string& candidate) {
        return letters > 2 && candidate.starts_with(name);
    });
    if (longer != candidates.end())
        return *longer;
    const std::string* best = nullptr;
    unsigned best_distance = static_cast<unsigned>(std::max<std::size_t>(3, letters)) + 1;
    for (const std::string& candidate : candidates) {
        const unsigned d = distance(name, candidate);
        if (d < best_distance) {
            best_distance = d;
            best = &candidate;
        }
    }
    return best == nullptr ? std::string{} : *best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates)
{
    const std::string nearest = nearest_name(name, candidates);
    return nearest.empty() || nearest == name ? "" : fmt::format(" Did you mean '{}'?", nearest);
}

bool matches(const std::string& name, const std::string& pattern)
{
    return fnmatch(pattern.c_str(), name.c_str(), FNM_CASEFOLD) == 0;
}

std::vector<std::string> names_in(std::span<const std::string> lists,
                                  std::span<const std::string> names)
{
    std::vector<std::string> found;
    for (const std::string& list : lists)
        for (std::size_t at = 0; at <= list.size();) {
            std::size_t end = std::min(list.find(',', at), list.size());
            for (const std::string& name : names)
                if ((list + ',').compare(at, name.size() + 1, name + ',') == 0)
                    end = std::max(end, at + name.size());
            found.push_back(list.substr(at, end - at));
            at = end + 1;
        }
    return found;
}

} // namespace senteval::base
