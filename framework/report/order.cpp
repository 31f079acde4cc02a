#include "report/order.hpp"

#include "stats/correlation.hpp"

#include <algorithm>
#include <numeric>

namespace senteval::report {
namespace {

bool holds(const std::vector<std::string>& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The score, so that more is better.
double goodness(const Document& document, std::size_t encoder, std::size_t task)
{
    const double value = document.cell(encoder, task).score.value;
    return document.tasks[task].higher_is_better ? value : -value;
}

} // namespace

std::vector<TaskGroup> groups_of(const Document& document)
{
    std::vector<TaskGroup> groups;
    for (std::size_t task = 0; task < document.tasks.size(); ++task) {
        if (groups.empty() || groups.back().name != document.tasks[task].group)
            groups.push_back({document.tasks[task].group, task, task});
        groups.back().end = task + 1;
    }
    return groups;
}

std::vector<std::size_t>
ranked_tasks(const Document& document, std::size_t first_task, std::size_t end_task)
{
    std::vector<std::size_t> tasks;
    for (std::size_t task = first_task; task < end_task; ++task)
        if (holds(document.ranks.tasks, document.tasks[task].name))
            tasks.push_back(task);
    return tasks;
}

std::vector<double>
mean_ranks(const Document& document, std::size_t first_task, std::size_t end_task)
{
    std::vector<std::size_t> ranked;
    for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder)
        if (holds(document.ranks.encoders, document.encoders[encoder].name))
            ranked.push_back(encoder);
    const auto tasks = ranked_tasks(document, first_task, end_task);
    std::vector<double> means(document.encoders.size(), core::nan);
    if (tasks.empty())
        return means;
    for (const std::size_t encoder : ranked)
        means[encoder] = 0;
    for (const std::size_t task : tasks) {
        std::vector<double> values;
        for (const std::size_t encoder : ranked)
            values.push_back(-goodness(document, encoder, task));
        const std::vector<double> ranks = stats::ranks(values);
        for (std::size_t i = 0; i < ranked.size(); ++i)
            means[ranked[i]] += ranks[i] / static_cast<double>(tasks.size());
    }
    return means;
}

std::vector<std::size_t> by_mean_rank(const Document& document)
{
    std::vector<double> keys = mean_ranks(document, 0, document.tasks.size());
    if (document.tasks.size() == 1)
        for (std::size_t encoder = 0; encoder < keys.size(); ++encoder)
            keys[encoder] = document.cell(encoder, 0).not_comparable.empty()
                                ? -goodness(document, encoder, 0)
                                : core::nan;
    std::vector<std::size_t> order(document.encoders.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return !std::isnan(keys[a]) && (std::isnan(keys[b]) || keys[a] < keys[b]);
    });
    return order;
}

} // namespace senteval::report
