#include "compare/swaps.hpp"

#include "compare/scoring.hpp"
#include "core/nan.hpp"
#include "stats/counter_stream.hpp"
#include "stats/named.hpp"
#include "stats/signs.hpp"
#include "stats/statistic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

namespace senteval::compare {
namespace {

/// The rows of the items that the metric is made of, by cluster.
std::vector<std::vector<std::size_t>> rows_by_cluster(const run::Items& items,
                                                      const task::Metric& metric)
{
    const task::Outcomes& outcomes = items.outcomes;
    const std::vector<std::uint32_t> cluster = clusters_in(items, metric);
    std::vector<std::vector<std::size_t>> clusters;
    std::size_t at = 0;
    for (std::size_t row = 0; row < outcomes.rows.size(); ++row) {
        if (!takes(metric.source, outcomes.groups[outcomes.rows[row].group]))
            continue;
        const std::size_t own = cluster.empty() ? at : cluster[at];
        clusters.resize(std::max(clusters.size(), own + 1));
        clusters[own].push_back(row);
        ++at;
    }
    return clusters;
}

/// So that the signs of their contributions are tested.
bool are_few(const run::Items& items, const task::Metric& metric)
{
    std::size_t count = 0;
    for (const auto& rows : rows_of(items.outcomes, metric.source))
        count += rows.size();
    if (count >= stats::most_signs)
        return false;
    const std::size_t clusters = rows_by_cluster(items, metric).size();
    return clusters >= stats::fewest_signs && 2 * clusters >= count;
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

/// Where the metric does not depend on the scale of predictions: the list of those that it is made of, brought to a
/// scale of its own group by group.
class Predictions {
public:
    Predictions(run::Items& items, const task::Metric& metric)
        : outcomes_(&items.outcomes), groups_(rows_of(items.outcomes, metric.source))
    {
        const auto at =
            std::ranges::find(outcomes_->further, metric.source.series, &task::Series::name);
        if (at != outcomes_->further.end())
            series_ = &*at;
    }

    [[nodiscard]] std::vector<double> of(const std::vector<std::size_t>& rows) const
    {
        std::vector<double> values;
        values.reserve(rows.size());
        for (const std::size_t row : rows)
            values.push_back(at(row));
        return values;
    }

    void rescale(void (*by)(std::span<double>))
    {
        for (const auto& rows : groups_) {
            std::vector<double> values = of(rows);
            by(values);
            for (std::size_t item = 0; item < rows.size(); ++item)
                at(rows[item]) = values[item];
        }
    }

    [[nodiscard]] const std::vector<std::vector<std::size_t>>& groups() const { return groups_; }

private:
    [[nodiscard]] double& at(std::size_t row) const
    {
        return series_ == nullptr ? outcomes_->rows[row].prediction : series_->predictions[row];
    }

    task::Outcomes* outcomes_;
    std::vector<std::vector<std::size_t>> groups_;
    task::Series* series_ = nullptr;
};

/// Whether the predictions' means and deviations differ by no more than swaps make them differ: then they may be
/// swapped as they are, which is exact, also where few items make most of the deviation.
bool are_of_one_scale(const Predictions& first, const Predictions& second)
{
    std::vector<double> differences;
    std::vector<double> squares;
    for (const auto& rows : first.groups()) {
        const std::vector<double> a = first.of(rows);
        const std::vector<double> b = second.of(rows);
        double mean = 0;
        for (std::size_t item = 0; item < rows.size(); ++item)
            mean += (a[item] + b[item]) / static_cast<double>(2 * rows.size());
        for (std::size_t item = 0; item < rows.size(); ++item) {
            differences.push_back(a[item] - b[item]);
            squares.push_back(std::pow(a[item] - mean, 2) - std::pow(b[item] - mean, 2));
        }
    }
    constexpr double level = 0.01;
    return stats::sign_flip_p_value(differences) > level &&
           stats::sign_flip_p_value(squares) > level;
}

/// Where the metric does not depend on the scale of predictions, a swap of two must not either. Says whether they
/// were brought to another one.
bool bring_to_one_scale(run::Items& first, run::Items& second, const task::Metric& metric)
{
    const auto* named = stats::find_statistic(metric.source.statistic);
    if (named == nullptr || named->rescale == nullptr)
        return false;
    Predictions a(first, metric);
    Predictions b(second, metric);
    if (are_of_one_scale(a, b))
        return false;
    a.rescale(named->rescale);
    b.rescale(named->rescale);
    return true;
}

/// By how much contributions are further from their mean than they seem, where each group's predictions were brought
/// to a mean and a deviation that come from the same few items.
double stretch_of(std::size_t clusters, std::size_t groups)
{
    const auto count = static_cast<double>(clusters);
    const double left = count - 2 * static_cast<double>(groups);
    return left > 0 ? std::sqrt(count / left) : 1;
}

/// Two results as one, the items of the second after those of the first.
run::Items pooled(const run::Items& first, const run::Items& second)
{
    run::Items both = first;
    const task::Outcomes& more = second.outcomes;
    both.outcomes.rows.insert(both.outcomes.rows.end(), more.rows.begin(), more.rows.end());
    for (std::size_t at = 0; at < both.outcomes.further.size(); ++at) {
        auto& predictions = both.outcomes.further[at].predictions;
        const auto& others = more.further.at(at).predictions;
        predictions.insert(predictions.end(), others.begin(), others.end());
    }
    return both;
}

/// How often each item of the statistic of pooled() counts for the first side, where some clusters are swapped.
class Sides {
public:
    Sides(const run::Items& items, const task::Metric& metric)
        : clusters_(rows_by_cluster(items, metric)),
          groups_(rows_of(items.outcomes, metric.source)),
          swapped_(items.outcomes.rows.size())
    {
    }

    void draw(stats::CounterStream& random)
    {
        std::uint64_t bits = 0;
        for (std::size_t at = 0; at < clusters_.size(); ++at) {
            bits = at % 64 == 0 ? random.next() : bits >> 1U;
            for (const std::size_t row : clusters_[at])
                swapped_[row] = static_cast<std::uint32_t>(bits & 1U);
        }
    }

    /// Of each group first the items of one result, then those of the other.
    [[nodiscard]] std::vector<std::uint32_t> counts() const
    {
        std::vector<std::uint32_t> counts;
        counts.reserve(2 * swapped_.size());
        for (const auto& rows : groups_)
            for (const std::uint32_t where_swapped : {0U, 1U})
                for (const std::size_t row : rows)
                    counts.push_back(swapped_[row] == where_swapped ? 1U : 0U);
        return counts;
    }

private:
    std::vector<std::vector<std::size_t>> clusters_;
    std::vector<std::vector<std::size_t>> groups_;
    std::vector<std::uint32_t> swapped_; ///< by row: 1 or 0
};

} // namespace

std::vector<double>
swap_contributions(const run::Items& first, const run::Items& second, const task::Metric& metric)
{
    run::Items a = first;
    run::Items b = second;
    if (a.outcomes.further.size() != b.outcomes.further.size())
        return {};
    const bool rescaled = bring_to_one_scale(a, b, metric);
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
    const double stretch =
        rescaled ? stretch_of(clusters.size(), rows_of(a.outcomes, metric.source).size()) : 1;
    for (std::size_t at = 0; at < each.size(); ++at)
        if (std::abs(each[at]) > rounding) {
            const double share = static_cast<double>(clusters[at].size()) / differing;
            each[at] = whole * share + stretch * (each[at] - sum * share);
        }
    return each;
}

std::vector<double>
swap_contributions(const Runs& first, const Runs& second, const task::Metric& metric)
{
    if (!are_few(first.front()->items, metric))
        return {};
    std::vector<double> mean;
    const std::size_t meetings = std::lcm(first.size(), second.size());
    for (std::size_t at = 0; at < meetings; ++at) {
        const auto each = swap_contributions(first[at % first.size()]->items,
                                             second[at % second.size()]->items, metric);
        if (each.empty())
            return {};
        mean.resize(each.size());
        for (std::size_t item = 0; item < each.size(); ++item)
            mean[item] += each[item] / static_cast<double>(meetings);
    }
    return mean;
}

stats::SwapNull swap_null(const Runs& first,
                          const Runs& second,
                          const task::Metric& metric,
                          const stats::Spread& beside_items,
                          std::uint64_t seed)
{
    constexpr std::uint64_t draws = 2000;
    const std::size_t fits = std::min(first.size(), second.size());
    std::vector<stats::StatisticPtr> statistics;
    for (std::size_t fit = 0; fit < fits; ++fit)
        statistics.push_back(statistic_of(pooled(first[fit]->items, second[fit]->items), metric));
    Sides sides(first.front()->items, metric);
    std::vector<double> differences;
    differences.reserve(draws);
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
        stats::CounterStream random(seed, draw);
        sides.draw(random);
        const auto one = sides.counts();
        auto other = one;
        for (std::uint32_t& count : other)
            count = 1 - count;
        double sum = 0;
        for (const auto& statistic : statistics)
            sum += statistic->value(one) - statistic->value(other);
        differences.push_back(sum * metric.scale() / static_cast<double>(fits));
    }
    return {std::move(differences), beside_items.standard_error, beside_items.freedom};
}

} // namespace senteval::compare
