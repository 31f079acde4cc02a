#include "stats/named.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace senteval::stats {
namespace {

Statistic f1(std::span<const double> gold, std::span<const double> predicted)
{
    return f1_statistic(gold, predicted);
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

Statistic median_rank(std::span<const double>, std::span<const double> ranks)
{
    return median_rank_statistic(ranks);
}

double as_it_is(double, double predicted)
{
    return predicted;
}

constexpr bool share = true;

constexpr std::array<NamedStatistic, 10> all = {{
    {"accuracy", is_right, nullptr, share},
    {.name = "f1", .of_all = f1},
    {.name = "pearson", .of_all = pearson_statistic},
    {.name = "spearman", .of_all = spearman_statistic},
    {"squared error", squared_error},
    {"recall@1", is_within<1>, nullptr, share},
    {"recall@5", is_within<5>, nullptr, share},
    {"recall@10", is_within<10>, nullptr, share},
    {"median rank", nullptr, median_rank, false, 1},
    {"mean", as_it_is},
}};

} // namespace

Statistic NamedStatistic::of(std::span<const double> gold, std::span<const double> predicted) const
{
    if (gold.size() != predicted.size())
        throw core::Error("a statistic of pairs needs two lists of the same length, not {} and {}",
                          gold.size(), predicted.size());
    if (of_item == nullptr)
        return of_all(gold, predicted);
    std::vector<double> values(gold.size());
    std::transform(gold.begin(), gold.end(), predicted.begin(), values.begin(), of_item);
    return mean_statistic(values);
}

const NamedStatistic* find_statistic(std::string_view name)
{
    const auto* at = std::find_if(all.begin(), all.end(),
                                  [&](const NamedStatistic& one) { return one.name == name; });
    return at == all.end() ? nullptr : at;
}

} // namespace senteval::stats
