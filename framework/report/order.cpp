#include "report/order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace senteval::report {

using compare::Comparison;
using compare::TaskComparison;

std::vector<TaskGroup> groups_of(const Comparison& comparison)
{
    std::vector<TaskGroup> groups;
    for (std::size_t task = 0; task < comparison.tasks.size(); ++task) {
        const std::string& named = comparison.tasks[task].group;
        const std::string group = named.empty() ? "other" : named;
        if (groups.empty() || groups.back().name != group)
            groups.push_back({group, task, task});
        groups.back().end = task + 1;
    }
    return groups;
}

std::vector<double> mean_ranks(const Comparison& comparison)
{
    std::vector<double> ranks(comparison.rows.size(), core::nan);
    if (comparison.across)
        for (std::size_t at = 0; at < comparison.across->rows.size(); ++at)
            ranks[comparison.across->rows[at]] = comparison.across->mean_ranks[at];
    return ranks;
}

std::vector<std::size_t> by_rank(const Comparison& comparison)
{
    std::vector<double> keys = mean_ranks(comparison);
    if (comparison.tasks.size() == 1)
        for (std::size_t row = 0; row < keys.size(); ++row) {
            const double value = comparison.tasks[0].entries[row].score.value;
            keys[row] = comparison.tasks[0].metric.higher_is_better ? -value : value;
        }
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return !std::isnan(keys[a]) && (std::isnan(keys[b]) || keys[a] < keys[b]);
    });
    return order;
}

std::vector<std::size_t> by_value(const TaskComparison& task)
{
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < task.entries.size(); ++row)
        if (task.entries[row].has_value() || task.entries[row].failed)
            rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
        const double first = task.entries[a].score.value;
        const double second = task.entries[b].score.value;
        return !std::isnan(first) && (std::isnan(second) || task.metric.is_better(first, second));
    });
    return rows;
}

const compare::Row* row_of(const Page& page, std::size_t row)
{
    const auto& rows = page.results.rows();
    const auto at = std::ranges::find(rows, page.comparison.rows[row], &compare::Row::label);
    return at == rows.end() ? nullptr : &*at;
}

compare::Runs runs_of(const Page& page, std::size_t row, const std::string& task)
{
    const auto& tasks = page.results.tasks();
    const auto at = std::ranges::find(tasks, task);
    const compare::Row* found = row_of(page, row);
    return found == nullptr || at == tasks.end()
               ? compare::Runs{}
               : found->tasks[static_cast<std::size_t>(at - tasks.begin())];
}

} // namespace senteval::report
