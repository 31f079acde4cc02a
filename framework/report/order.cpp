#include "report/order.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace senteval::report {
namespace {

std::optional<std::size_t> place_of(const std::vector<std::string>& names, const std::string& name)
{
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? std::nullopt
                             : std::optional(static_cast<std::size_t>(at - names.begin()));
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
        if (place_of(document.ranks.tasks, document.tasks[task].name))
            tasks.push_back(task);
    return tasks;
}

std::vector<double>
mean_ranks(const Document& document, std::size_t first_task, std::size_t end_task)
{
    const RankDiagram& diagram = document.ranks;
    std::vector<double> means(document.encoders.size(), core::nan);
    const auto tasks = ranked_tasks(document, first_task, end_task);
    for (std::size_t encoder = 0; encoder < means.size() && !tasks.empty(); ++encoder) {
        const auto at = place_of(diagram.encoders, document.encoders[encoder].name);
        if (!at)
            continue;
        double sum = 0;
        for (const std::size_t task : tasks)
            sum += diagram.ranks[*place_of(diagram.tasks, document.tasks[task].name)][*at];
        means[encoder] = sum / static_cast<double>(tasks.size());
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
