#include "stats/named.hpp"

#include "core/error.hpp"
#include "stats/correlation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
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
    return rank < k + 1 ? 1 : 0;
}

/// The original's: of a median between two ranks it shows the first.
class MedianRank final : public Statistic {
public:
    explicit MedianRank(std::span<const double> ranks) : median_(median_statistic(ranks)) {}

    [[nodiscard]] std::vector<std::size_t> strata() const override { return median_->strata(); }
    [[nodiscard]] double value(std::span<const std::uint32_t> counts) const override
    {
        return std::floor(median_->value(counts));
    }
    [[nodiscard]] std::vector<double> influence() const override { return median_->influence(); }
    [[nodiscard]] bool is_smooth() const override { return false; }

private:
    StatisticPtr median_;
};

StatisticPtr median_rank(std::span<const double>, std::span<const double> ranks)
{
    return std::make_unique<MedianRank>(ranks);
}

double as_it_is(double, double predicted)
{
    return predicted;
}

/// To mean 0 and deviation 1.
void standardise(std::span<double> values)
{
    const auto count = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values)
        mean += value / count;
    double square = 0;
    for (const double value : values)
        square += (value - mean) * (value - mean) / count;
    if (!(square > 0))
        return;
    for (double& value : values)
        value = (value - mean) / std::sqrt(square);
}

void rank(std::span<double> values)
{
    std::ranges::copy(ranks(values), values.begin());
}

constexpr bool share = true;
constexpr bool pearson = true;

constexpr std::array<NamedStatistic, 10> all = {{
    {"accuracy", is_right, nullptr, share},
    {.name = "f1", .of_all = f1_of_classes},
    {"pearson", nullptr, pearson_statistic, false, pearson, 0, standardise},
    {"spearman", nullptr, spearman_statistic, false, false, 0, rank},
    {"squared error", squared_error},
    {"recall@1", is_within<1>, nullptr, share},
    {"recall@5", is_within<5>, nullptr, share},
    {"recall@10", is_within<10>, nullptr, share},
    {"median rank", nullptr, median_rank, false, false, 1},
    {"mean", as_it_is},
}};

} // namespace

StatisticPtr NamedStatistic::make(std::span<const double> gold,
                                  std::span<const double> predicted) const
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
