#include "stats/named.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace senteval::stats {
namespace {

std::vector<std::uint32_t> classes(std::span<const double> values)
{
    std::vector<std::uint32_t> result;
    result.reserve(values.size());
    for (const double value : values)
        result.push_back(static_cast<std::uint32_t>(value));
    return result;
}

StatisticPtr f1_of_classes(std::span<const double> gold, std::span<const double> predicted)
{
    return f1_statistic(classes(gold), classes(predicted));
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
    return rank <= k ? 1 : 0;
}

double as_it_is(double, double predicted)
{
    return predicted;
}

constexpr bool share = true;
constexpr bool pearson = true;

constexpr std::array<NamedStatistic, 9> all = {{
    {"accuracy", is_right, nullptr, share},
    {"f1", nullptr, f1_of_classes},
    {"pearson", nullptr, pearson_statistic, false, pearson},
    {"spearman", nullptr, spearman_statistic},
    {"squared error", squared_error},
    {"recall@1", is_within<1>, nullptr, share},
    {"recall@5", is_within<5>, nullptr, share},
    {"recall@10", is_within<10>, nullptr, share},
    {"mean", as_it_is},
}};

} // namespace

StatisticPtr NamedStatistic::make(std::span<const double> gold,
                                  std::span<const double> predicted) const
{
    if (of_item == nullptr)
        return of_all(gold, predicted);
    if (gold.size() != predicted.size())
        throw core::Error("a statistic of pairs needs two lists of the same length, not {} and {}",
                          gold.size(), predicted.size());
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
