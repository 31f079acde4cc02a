#include "measures/named_statistic.hpp"

#include "base/error.hpp"
#include "measures/clusters.hpp"
#include "measures/pairs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace senteval::measures {
namespace {

stats::Statistic f1(std::span<const double> gold, std::span<const double> predicted)
{
    return stats::f1_statistic(gold, predicted);
}

double is_right(double gold, double predicted)
{
    return gold == predicted ? 1 : 0;
}

double squared_error(double gold, double predicted)
{
    return (gold - predicted) * (gold - predicted);
}

template <int k>
double is_within(double, double rank)
{
    return rank < k + 1 ? 1 : 0;
}

stats::Statistic median_rank(std::span<const double>, std::span<const double> ranks)
{
    return stats::median_rank_statistic(ranks);
}

double as_it_is(double, double predicted)
{
    return predicted;
}

constexpr bool share = true;

/// 1 from the threshold on, else 0.
std::vector<double> classified(std::span<const double> scores, double threshold)
{
    std::vector<double> positive(scores.size());
    std::ranges::transform(scores, positive.begin(),
                           [&](double score) { return score >= threshold ? 1.0 : 0.0; });
    return positive;
}

/// Influences are those at the best threshold as it is.
stats::Statistic best_accuracy(std::span<const double> gold, std::span<const double> scores)
{
    const auto predicted = classified(scores, pair_measures(gold, scores).accuracy_threshold);
    std::vector<double> right(gold.size());
    std::ranges::transform(gold, predicted, right.begin(), is_right);
    return stats::mean_statistic(right);
}

/// Likewise.
stats::Statistic best_f1(std::span<const double> gold, std::span<const double> scores)
{
    return stats::f1_statistic(gold, classified(scores, pair_measures(gold, scores).f1_threshold));
}

stats::Statistic v_measure(std::span<const double> gold, std::span<const double> found)
{
    const auto whole = [](std::span<const double> labels) {
        return std::vector<std::uint32_t>(labels.begin(), labels.end());
    };
    return cluster_measures({whole(gold), whole(found)}).v_measure;
}

constexpr std::array<NamedStatistic, 15> all = {{
    {"accuracy", is_right, nullptr, share},
    {.name = "f1", .of_all = f1},
    {.name = "macro f1", .of_all = stats::macro_f1_statistic},
    {.name = "pearson", .of_all = stats::pearson_statistic},
    {.name = "spearman", .of_all = stats::spearman_statistic},
    {"squared error", squared_error},
    {"recall@1", is_within<1>, nullptr, share},
    {"recall@5", is_within<5>, nullptr, share},
    {"recall@10", is_within<10>, nullptr, share},
    {"median rank", nullptr, median_rank, false, 1},
    {"mean", as_it_is},
    {.name = "average precision", .of_all = average_precision_statistic},
    {.name = "best accuracy", .of_all = best_accuracy},
    {.name = "best f1", .of_all = best_f1},
    {.name = "v-measure", .of_all = v_measure},
}};

} // namespace

stats::Statistic NamedStatistic::of(std::span<const double> gold,
                                    std::span<const double> predicted) const
{
    if (gold.size() != predicted.size())
        throw base::Error("a statistic of pairs needs two lists of the same length, not {} and {}",
                          gold.size(), predicted.size());
    if (of_item == nullptr)
        return of_all(gold, predicted);
    std::vector<double> values(gold.size());
    std::transform(gold.begin(), gold.end(), predicted.begin(), values.begin(), of_item);
    return stats::mean_statistic(values);
}

const NamedStatistic* find_statistic(std::string_view name)
{
    const auto* at = std::find_if(all.begin(), all.end(),
                                  [&](const NamedStatistic& one) { return one.name == name; });
    return at == all.end() ? nullptr : at;
}

} // namespace senteval::measures
