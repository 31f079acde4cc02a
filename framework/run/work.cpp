#include "run/work.hpp"

#include "run/record.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace senteval::run {
namespace {

/// Neighbouring numbers far apart (Knuth's multiplicative hashing by the golden ratio).
std::size_t scattered(std::size_t number)
{
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
    return static_cast<std::size_t>((number * golden) >> 32U);
}

} // namespace

std::vector<task::Settings> distinct_settings(const task::Task& task,
                                              std::span<const task::Settings> settings)
{
    std::set<std::string> seen;
    std::vector<task::Settings> distinct;
    for (const task::Settings& one : settings)
        if (seen.insert(protocol_of(task, one).fingerprint).second)
            distinct.push_back(one);
    return distinct;
}

std::vector<Unit> all_units(std::size_t encoders,
                            std::span<const task::Task* const> tasks,
                            std::span<const task::Settings> settings)
{
    std::vector<std::vector<task::Settings>> of_task;
    for (const task::Task* task : tasks)
        of_task.push_back(distinct_settings(*task, settings));
    std::vector<Unit> units;
    for (std::size_t encoder = 0; encoder < encoders; ++encoder)
        for (std::size_t task = 0; task < tasks.size(); ++task)
            units.push_back({encoder, task, of_task[task]});
    return units;
}

std::vector<Unit> cut(std::vector<Unit> units, std::size_t least)
{
    while (units.size() < least) {
        const auto largest = std::ranges::max_element(
            units, {}, [](const Unit& unit) { return unit.settings.size(); });
        if (largest == units.end() || largest->settings.size() < 2)
            break;
        const auto middle =
            largest->settings.begin() + static_cast<std::ptrdiff_t>(largest->settings.size() / 2);
        Unit rest{largest->encoder, largest->task, {middle, largest->settings.end()}};
        largest->settings.erase(middle, largest->settings.end());
        units.insert(std::next(largest), std::move(rest));
    }
    return units;
}

std::vector<Unit> units_of(const std::vector<Unit>& all, Shard shard)
{
    std::vector<Unit> mine;
    for (std::size_t first = 0; first < all.size();) {
        std::size_t end = first;
        while (end < all.size() && all[end].encoder == all[first].encoder)
            ++end;
        const std::size_t rotation = scattered(all[first].encoder) % (end - first);
        for (std::size_t at = first; at < end; ++at) {
            const std::size_t turn = first + (at - first + rotation) % (end - first);
            if (turn % shard.count == shard.index)
                mine.push_back(all[at]);
        }
        first = end;
    }
    return mine;
}

NextUnit in_order(std::vector<Unit> units)
{
    return [units = std::make_shared<const std::vector<Unit>>(std::move(units)),
            at = std::size_t{0}]() mutable {
        return at < units->size() ? std::optional((*units)[at++]) : std::nullopt;
    };
}

std::size_t cells_of(std::span<const Unit> units)
{
    std::size_t cells = 0;
    for (const Unit& unit : units)
        cells += unit.settings.size();
    return cells;
}

} // namespace senteval::run
