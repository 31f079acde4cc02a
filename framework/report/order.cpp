#include "report/order.hpp"

#include "stats/correlation.hpp"

#include <algorithm>
#include <numeric>

namespace senteval::report {

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

std::vector<double>
mean_ranks(const Document& document, std::size_t first_task, std::size_t end_task)
{
    std::vector<double> sum(document.encoders.size());
    std::vector<double> count(document.encoders.size());
    const auto has = [&](std::size_t encoder, std::size_t task) {
        return !std::isnan(document.cell(encoder, task).score.value);
    };
    // Ranks among others are no ranks to compare: only tasks count that all of these encoders have.
    std::vector<std::size_t> ranked;
    for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder) {
        bool any = false;
        for (std::size_t task = first_task; task < end_task; ++task)
            any = any || has(encoder, task);
        if (any)
            ranked.push_back(encoder);
    }
    for (std::size_t task = first_task; task < end_task; ++task) {
        if (!std::all_of(ranked.begin(), ranked.end(),
                         [&](std::size_t encoder) { return has(encoder, task); }))
            continue;
        std::vector<std::size_t> present;
        std::vector<double> values;
        for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder) {
            const double value = document.cell(encoder, task).score.value;
            if (std::isnan(value))
                continue;
            present.push_back(encoder);
            values.push_back(document.tasks[task].higher_is_better ? -value : value);
        }
        const std::vector<double> ranks = stats::ranks(values);
        for (std::size_t i = 0; i < present.size(); ++i) {
            sum[present[i]] += ranks[i];
            count[present[i]] += 1;
        }
    }
    for (std::size_t encoder = 0; encoder < sum.size(); ++encoder)
        sum[encoder] = count[encoder] > 0 ? sum[encoder] / count[encoder] : core::nan;
    return sum;
}

std::vector<std::size_t> by_mean_rank(const Document& document)
{
    const std::vector<double> ranks = mean_ranks(document, 0, document.tasks.size());
    std::vector<std::size_t> order(document.encoders.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return !std::isnan(ranks[a]) && (std::isnan(ranks[b]) || ranks[a] < ranks[b]);
    });
    return order;
}

} // namespace senteval::report
