#include "compare/swaps.hpp"

#include "compare/scoring.hpp"
#include "core/nan.hpp"
#include "stats/products.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace senteval::compare {
namespace {

/// The rows of the items that the metric is made of, by cluster.
std::vector<std::vector<std::size_t>> rows_by_cluster(const run::Items& items,
                                                      const task::Metric& metric)
{
    const task::Outcomes& outcomes = items.outcomes;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < outcomes.rows.size(); ++row)
        if (takes(metric.source, outcomes.groups[outcomes.rows[row].group]))
            rows.push_back(row);
    const stats::Sources sources = sources_of(items, metric);
    std::vector<std::uint32_t> cluster;
    if (sources.first.size() == rows.size())
        cluster = stats::clusters_of(sources); // empty where none share
    if (cluster.empty()) {
        cluster.resize(rows.size());
        std::iota(cluster.begin(), cluster.end(), 0U);
    }
    std::vector<std::vector<std::size_t>> clusters;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        clusters.resize(std::max<std::size_t>(clusters.size(), cluster[at] + std::size_t{1}));
        clusters[cluster[at]].push_back(rows[at]);
    }
    return clusters;
}

void swap_rows(run::Items& a, run::Items& b, const std::vector<std::size_t>& rows)
{
    for (const std::size_t row : rows) {
        std::swap(a.outcomes.rows[row].prediction, b.outcomes.rows[row].prediction);
        for (std::size_t series = 0; series < a.outcomes.further.size(); ++series)
            std::swap(a.outcomes.further[series].predictions[row],
                      b.outcomes.further[series].predictions[row]);
    }
}

} // namespace

std::vector<double>
swap_contributions(const run::Items& first, const run::Items& second, const task::Metric& metric)
{
    run::Items a = first;
    run::Items b = second;
    if (a.outcomes.further.size() != b.outcomes.further.size())
        return {};
    const auto difference = [&] {
        const auto one = statistic_of(a, metric);
        const auto two = statistic_of(b, metric);
        return one && two ? (one->observed() - two->observed()) * metric.scale() : core::nan;
    };
    const double whole = difference();
    const auto clusters = rows_by_cluster(first, metric);
    std::vector<double> each;
    std::size_t items = 0;
    for (const auto& rows : clusters) {
        swap_rows(a, b, rows);
        each.push_back((whole - difference()) / 2);
        swap_rows(a, b, rows);
        items += rows.size();
    }
    const double sum = std::accumulate(each.begin(), each.end(), 0.0);
    if (std::isnan(sum) || items == 0)
        return {};
    // Where the metric is not linear a rest is left, which no item has more of than another; but equal answers
    // contribute nothing, or there would be no ties among the patterns of the others.
    const double rounding = 1e-9 * metric.scale();
    double differing = 0;
    for (std::size_t at = 0; at < each.size(); ++at)
        if (std::abs(each[at]) > rounding)
            differing += static_cast<double>(clusters[at].size());
    for (std::size_t at = 0; at < each.size(); ++at)
        if (std::abs(each[at]) > rounding)
            each[at] += (whole - sum) * static_cast<double>(clusters[at].size()) / differing;
    return each;
}

} // namespace senteval::compare
