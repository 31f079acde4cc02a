#include "stats/statistic.hpp"

#include "base/error.hpp"
#include "base/nan.hpp"
#include "stats/correlation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

namespace senteval::stats {
namespace {

void require_items(std::size_t first, std::size_t second)
{
    if (first != second)
        throw base::Error("a statistic of pairs needs two lists of the same length, not {} and {}",
                          first, second);
    if (first == 0)
        throw base::Error("a statistic needs at least one item");
}

/// Mean 0 and variance 1 (over n); a constant becomes zeros.
Column standardised(std::span<const double> values)
{
    Column result(values.begin(), values.end());
    const auto n = static_cast<double>(values.size());
    const bool constant = std::ranges::all_of(result, [&](double v) { return v == values[0]; });
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (double& value : result) {
        value = constant ? 0.0 : value - mean;
        squares += value * value;
    }
    const double scale = squares > 0 ? 1.0 / std::sqrt(squares / n) : 0.0;
    for (double& value : result)
        value *= scale;
    return result;
}

} // namespace

Statistic mean_statistic(std::span<const double> values)
{
    require_items(values.size(), values.size());
    const auto n = static_cast<double>(values.size());
    Statistic mean{std::accumulate(values.begin(), values.end(), 0.0) / n};
    for (const double value : values)
        mean.influence.push_back((value - mean.value) / n);
    return mean;
}

Statistic
f1_statistic(std::span<const double> gold, std::span<const double> predicted, double positive)
{
    require_items(gold.size(), predicted.size());
    double hits = 0;
    double mentions = 0;
    Statistic f1{0, Column(gold.size())};
    for (std::size_t i = 0; i < gold.size(); ++i) {
        hits += gold[i] == positive && predicted[i] == positive ? 1 : 0;
        mentions += (gold[i] == positive ? 1 : 0) + (predicted[i] == positive ? 1 : 0);
    }
    if (mentions == 0)
        return f1;
    f1.value = 2 * hits / mentions;
    for (std::size_t i = 0; i < gold.size(); ++i) {
        const double hit = gold[i] == positive && predicted[i] == positive ? 1 : 0;
        const double mention = (gold[i] == positive ? 1 : 0) + (predicted[i] == positive ? 1 : 0);
        f1.influence[i] = (2 * hit - f1.value * mention) / mentions;
    }
    return f1;
}

Statistic macro_f1_statistic(std::span<const double> gold, std::span<const double> predicted)
{
    require_items(gold.size(), predicted.size());
    std::set<double> classes(gold.begin(), gold.end());
    classes.insert(predicted.begin(), predicted.end());
    Statistic macro{0, Column(gold.size())};
    for (const double one : classes) {
        const Statistic f1 = f1_statistic(gold, predicted, one);
        macro.value += f1.value / static_cast<double>(classes.size());
        for (std::size_t i = 0; i < gold.size(); ++i)
            macro.influence[i] += f1.influence[i] / static_cast<double>(classes.size());
    }
    return macro;
}

Statistic pearson_statistic(std::span<const double> x, std::span<const double> y)
{
    require_items(x.size(), y.size());
    const Column a = standardised(x);
    const Column b = standardised(y);
    const auto n = static_cast<double>(x.size());
    const auto product = [](const Column& one, const Column& other) {
        return std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
    };
    Statistic pearson{base::nan, Column(x.size())};
    if (!(product(a, a) > 0) || !(product(b, b) > 0))
        return pearson;
    pearson.value = std::clamp(product(a, b) / n, -1.0, 1.0);
    if (x.size() < 3)
        return pearson;
    const double more = 1 + 1 / (n - 1); // without an item the means move, too
    Column without(x.size());
    for (std::size_t i = 0; i < without.size(); ++i) {
        const double xx = n - more * a[i] * a[i];
        const double yy = n - more * b[i] * b[i];
        without[i] = xx > 0 && yy > 0
                         ? std::clamp((n * pearson.value - more * a[i] * b[i]) / std::sqrt(xx * yy),
                                      -1.0, 1.0)
                         : pearson.value;
    }
    const double mean = std::accumulate(without.begin(), without.end(), 0.0) / n;
    for (std::size_t i = 0; i < without.size(); ++i)
        pearson.influence[i] = (mean - without[i]) * (n - 1) / n;
    return pearson;
}

Statistic spearman_statistic(std::span<const double> x, std::span<const double> y)
{
    require_items(x.size(), y.size());
    return pearson_statistic(ranks(x), ranks(y));
}

Statistic median_rank_statistic(std::span<const double> ranks)
{
    require_items(ranks.size(), ranks.size());
    return {std::floor(quantile(ranks, 0.5)), {}};
}

Statistic weighted_sum(std::span<const Statistic> parts, std::span<const double> weights)
{
    require_items(parts.size(), weights.size());
    Statistic sum{0};
    const bool is_smooth =
        std::ranges::none_of(parts, [](const Statistic& part) { return part.influence.empty(); });
    for (std::size_t part = 0; part < parts.size(); ++part) {
        sum.value += weights[part] * parts[part].value;
        for (std::size_t i = 0; is_smooth && i < parts[part].influence.size(); ++i)
            sum.influence.push_back(weights[part] * parts[part].influence[i]);
    }
    return sum;
}

double quantile(std::span<const double> values, double probability)
{
    if (!(probability >= 0 && probability <= 1))
        throw base::Error("a quantile's probability lies in [0, 1], not at {}", probability);
    if (values.empty())
        return base::nan;
    std::vector<double> ascending(values.begin(), values.end());
    std::sort(ascending.begin(), ascending.end());
    const double at = probability * static_cast<double>(ascending.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, ascending.size() - 1);
    const double rest = at - static_cast<double>(below);
    return ascending[below] + rest * (ascending[above] - ascending[below]);
}

Summary summarise(std::span<const double> values)
{
    if (values.empty())
        return {0, base::nan, base::nan, base::nan, base::nan};
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const auto [min, max] = std::minmax_element(values.begin(), values.end());
    return {values.size(), mean, values.size() < 2 ? base::nan : std::sqrt(squares / (count - 1.0)),
            *min, *max};
}

} // namespace senteval::stats
