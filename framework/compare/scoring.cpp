#include "compare/scoring.hpp"

#include "report/table.hpp"
#include "stats/correlation.hpp"
#include "stats/mcnemar.hpp"
#include "stats/power.hpp"
#include "stats/williams.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace senteval::compare {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string last_part(const std::string& path)
{
    return path.substr(path.rfind('.') + 1);
}

bool is_spearman(const std::string& metric)
{
    return metric.find("spearman") != std::string::npos;
}

/// Gold and prediction of the rows of one group, or of all.
struct Pairs {
    std::vector<double> gold;
    std::vector<double> prediction;
};

Pairs pairs_of(const run::Items& items, std::optional<std::uint32_t> group)
{
    Pairs pairs;
    for (const task::ItemOutcome& row : items.outcomes.rows)
        if (!group || row.group == *group) {
            pairs.gold.push_back(row.gold);
            pairs.prediction.push_back(row.prediction);
        }
    return pairs;
}

stats::StatisticPtr correlation_statistic(const Pairs& pairs, const std::string& metric)
{
    if (pairs.gold.empty())
        return nullptr;
    return is_spearman(metric) ? stats::spearman_statistic(pairs.prediction, pairs.gold)
                               : stats::pearson_statistic(pairs.prediction, pairs.gold);
}

/// The mean of the subsets' correlations, weighted by their pairs or not.
stats::StatisticPtr
mean_of_groups(const run::Items& items, const std::string& metric, bool weighted)
{
    const std::size_t groups = items.outcomes.groups.size();
    const auto total = static_cast<double>(items.outcomes.rows.size());
    std::vector<stats::StatisticPtr> parts;
    std::vector<double> weights;
    for (std::uint32_t group = 0; group < groups; ++group) {
        const Pairs pairs = pairs_of(items, group);
        parts.push_back(correlation_statistic(pairs, metric));
        if (!parts.back())
            return nullptr;
        weights.push_back(weighted ? static_cast<double>(pairs.gold.size()) / total
                                   : 1.0 / static_cast<double>(groups));
    }
    return stats::weighted_sum(std::move(parts), std::move(weights));
}

/// "all.pearson.wmean", "MSRvid.spearman", "pearson"
stats::StatisticPtr correlation_of(const run::Items& items, const std::string& metric)
{
    if (metric.starts_with("all.")) {
        const std::string aggregate = last_part(metric);
        if (aggregate == "mean" || aggregate == "wmean")
            return mean_of_groups(items, metric, aggregate == "wmean");
        return correlation_statistic(pairs_of(items, std::nullopt), metric);
    }
    const std::string subset = metric.substr(0, metric.rfind('.'));
    const auto& groups = items.outcomes.groups;
    const auto at = std::find(groups.begin(), groups.end(), subset);
    if (metric.find('.') != std::string::npos && at != groups.end())
        return correlation_statistic(
            pairs_of(items, static_cast<std::uint32_t>(at - groups.begin())), metric);
    return correlation_statistic(pairs_of(items, std::nullopt), metric);
}

std::vector<std::uint32_t> classes_of(const run::Items& items, double task::ItemOutcome::*member)
{
    std::vector<std::uint32_t> classes;
    for (const task::ItemOutcome& row : items.outcomes.rows)
        classes.push_back(static_cast<std::uint32_t>(row.*member));
    return classes;
}

bool same_items(const run::Items& a, const run::Items& b)
{
    return std::equal(a.outcomes.rows.begin(), a.outcomes.rows.end(), b.outcomes.rows.begin(),
                      b.outcomes.rows.end(), [](const auto& x, const auto& y) {
                          return x.item == y.item && x.group == y.group && x.gold == y.gold;
                      });
}

bool comparable(const Runs& first, const Runs& second)
{
    return !first.empty() && !second.empty() && !first.front()->items.outcomes.rows.empty() &&
           first.front()->document.at("data").at("files") ==
               second.front()->document.at("data").at("files") &&
           same_items(first.front()->items, second.front()->items);
}

/// Mean over the seeds of whether each item was right.
std::vector<double> mean_correctness(const Runs& runs)
{
    std::vector<double> mean(runs.front()->items.outcomes.rows.size());
    for (const run::Cell* cell : runs) {
        const auto right = correctness(cell->items);
        for (std::size_t i = 0; i < mean.size() && i < right.size(); ++i)
            mean[i] += right[i] / static_cast<double>(runs.size());
    }
    return mean;
}

/// Bonett and Price's adjusted Wald interval of a difference of paired proportions (Bonett & Price
/// 2012, Journal of Educational and Behavioral Statistics 37, eq. 3).
stats::Interval paired_interval(const stats::McNemar& counts, std::size_t n)
{
    const double size = static_cast<double>(n) + 2;
    const double first = (static_cast<double>(counts.only_first) + 1) / size;
    const double second = (static_cast<double>(counts.only_second) + 1) / size;
    const double d = first - second;
    const double half =
        stats::normal_quantile_two_sided(0.95) * std::sqrt((first + second - d * d) / size);
    return {std::max(d - half, -1.0), std::min(d + half, 1.0)};
}

Difference
accuracy_difference(const Runs& first, const Runs& second, const stats::Resampling& resampling)
{
    const auto a = mean_correctness(first);
    const auto b = mean_correctness(second);
    std::vector<double> differences(a.size());
    std::transform(a.begin(), a.end(), b.begin(), differences.begin(), std::minus<>());
    Difference result;
    if (first.size() == 1 && second.size() == 1) {
        const auto only = [&](double sign) {
            return static_cast<std::size_t>(
                std::count(differences.begin(), differences.end(), sign));
        };
        const auto counts = stats::mcnemar(only(1.0), only(-1.0));
        const std::size_t n = differences.size();
        result.interval = paired_interval(counts, n);
        result.p_value = counts.p_mid;
        result.detectable = stats::detectable_accuracy_difference(
            static_cast<double>(counts.only_first + counts.only_second) / static_cast<double>(n),
            n);
        result.test = "McNemar mid-p";
        return result;
    }
    const auto estimate = stats::bootstrap(*stats::mean_statistic(differences), resampling);
    result.interval = estimate.interval;
    result.p_value = stats::sign_flip_p_value(differences, resampling);
    result.detectable = stats::detectable_mean_difference(
        estimate.standard_error * std::sqrt(static_cast<double>(a.size())), a.size());
    result.test = "sign-flip permutation over seeds";
    return result;
}

Difference bootstrap_difference(const run::Items& first,
                                const run::Items& second,
                                const std::string& metric,
                                const stats::Resampling& resampling)
{
    Difference result{nan, {nan, nan}, nan, nan, ""};
    auto a = statistic_of(first, metric);
    auto b = statistic_of(second, metric);
    if (!a || !b)
        return result;
    const auto statistic = stats::difference(std::move(a), std::move(b));
    const auto test = stats::paired_bootstrap(*statistic, resampling);
    result.interval = test.interval;
    result.p_value = test.p_value;
    result.test = "paired bootstrap";
    // A bootstrap interval is about 2 * 1.96 standard errors wide; power 80 % needs 1.96 + 0.84.
    const double standard_error = (test.interval.high - test.interval.low) / (2 * 1.959964);
    result.detectable = (1.959964 + 0.841621) * standard_error;
    return result;
}

void use_williams(Difference& result, const run::Items& first, const run::Items& second)
{
    const Pairs a = pairs_of(first, std::nullopt);
    const Pairs b = pairs_of(second, std::nullopt);
    const auto test = stats::williams(stats::pearson(a.prediction, a.gold).r,
                                      stats::pearson(b.prediction, b.gold).r,
                                      stats::pearson(a.prediction, b.prediction).r, a.gold.size());
    if (std::isnan(test.p_value))
        return; // the same predictions, say: the bootstrap has an answer
    result.p_value = test.p_value;
    result.test = "Williams";
}

std::vector<double> values_of(const Runs& runs, const std::string& metric)
{
    std::vector<double> values;
    for (const run::Cell* cell : runs)
        if (const auto value = report::metric(cell->document.at("metrics"), metric))
            values.push_back(*value);
    return values;
}

double mean(const std::vector<double>& values)
{
    return values.empty() ? nan
                          : std::accumulate(values.begin(), values.end(), 0.0) /
                                static_cast<double>(values.size());
}

double sample_deviation(const std::vector<double>& values)
{
    if (values.size() < 2)
        return nan;
    double sum = 0;
    for (const double value : values)
        sum += (value - mean(values)) * (value - mean(values));
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

} // namespace

Kind kind_of(const std::string& metric)
{
    const std::string name = last_part(metric);
    if (name == "acc")
        return Kind::accuracy;
    if (name == "f1")
        return Kind::f1;
    const bool correlation = metric.find("pearson") != std::string::npos || is_spearman(metric);
    return correlation && !name.starts_with("dev") ? Kind::correlation : Kind::other;
}

double scale_of(const std::string& metric)
{
    const Kind kind = kind_of(metric);
    return kind == Kind::accuracy || kind == Kind::f1 ? 100 : 1;
}

std::vector<double> correctness(const run::Items& items)
{
    std::vector<double> right;
    right.reserve(items.outcomes.rows.size());
    for (const task::ItemOutcome& row : items.outcomes.rows)
        right.push_back(row.gold == row.prediction ? 1.0 : 0.0);
    return right;
}

stats::StatisticPtr statistic_of(const run::Items& items, const std::string& metric)
{
    if (items.outcomes.rows.empty())
        return nullptr;
    const bool classes = items.outcomes.kind == "class";
    switch (kind_of(metric)) {
    case Kind::accuracy:
        return classes ? stats::mean_statistic(correctness(items)) : nullptr;
    case Kind::f1:
        return classes ? stats::f1_statistic(classes_of(items, &task::ItemOutcome::gold),
                                             classes_of(items, &task::ItemOutcome::prediction))
                       : nullptr;
    case Kind::correlation:
        return classes ? nullptr : correlation_of(items, metric);
    case Kind::other:
        return nullptr;
    }
    return nullptr;
}

stats::Estimate
estimate_of(const run::Items& items, const std::string& metric, const stats::Resampling& resampling)
{
    stats::Estimate found{nan, {nan, nan}, nan};
    const auto statistic = statistic_of(items, metric);
    if (!statistic)
        return found;
    if (kind_of(metric) == Kind::accuracy) {
        const auto right = correctness(items);
        const auto n = static_cast<double>(right.size());
        const double hits = std::accumulate(right.begin(), right.end(), 0.0);
        found.value = hits / n;
        found.interval = stats::wilson(static_cast<std::size_t>(hits), right.size());
        found.standard_error = std::sqrt(hits / n * (1 - hits / n) / n);
    } else {
        found = stats::bootstrap(*statistic, resampling);
    }
    const double scale = scale_of(metric);
    found.value *= scale;
    found.interval = {found.interval.low * scale, found.interval.high * scale};
    found.standard_error *= scale;
    return found;
}

Score score_of(const Runs& runs, const std::string& metric, const stats::Resampling& resampling)
{
    const auto values = values_of(runs, metric);
    Score score{mean(values), sample_deviation(values), {nan, nan}, nan, 0, values.size()};
    if (values.empty())
        return score;
    const run::Items& items = runs.front()->items;
    score.items = items.outcomes.rows.size();
    const auto estimate = estimate_of(items, metric, resampling);
    const double shift = values.size() > 1 ? score.value - values.front() : 0.0;
    score.interval = {estimate.interval.low + shift, estimate.interval.high + shift};
    score.standard_error = estimate.standard_error;
    return score;
}

Difference difference_of(const Runs& first,
                         const Runs& second,
                         const std::string& metric,
                         const stats::Resampling& resampling)
{
    Difference result{
        mean(values_of(first, metric)) - mean(values_of(second, metric)), {nan, nan}, nan, nan, ""};
    const Kind kind = kind_of(metric);
    if (kind == Kind::other || !comparable(first, second) || std::isnan(result.value))
        return result;
    const double value = result.value;
    const run::Items& a = first.front()->items;
    const run::Items& b = second.front()->items;
    if (kind == Kind::accuracy && a.outcomes.kind == "class") {
        result = accuracy_difference(first, second, resampling);
    } else {
        result = bootstrap_difference(a, b, metric, resampling);
        if (metric == "pearson" && a.outcomes.kind == "score")
            use_williams(result, a, b);
    }
    const double scale = scale_of(metric);
    result.value = value;
    result.interval = {result.interval.low * scale, result.interval.high * scale};
    result.detectable *= scale;
    return result;
}

} // namespace senteval::compare
