#include "compare/scoring.hpp"

#include "core/nan.hpp"
#include "stats/correlation.hpp"
#include "stats/mcnemar.hpp"
#include "stats/named.hpp"
#include "stats/power.hpp"
#include "stats/quantile.hpp"
#include "stats/williams.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

namespace senteval::compare {
namespace {

using core::nan;

/// Gold and predicted values of some items.
struct Sample {
    std::vector<double> gold;
    std::vector<double> predicted;
};

/// The predictions that the source names, one per row; nothing where the items have none of the name.
std::vector<double> predictions_of(const task::Outcomes& outcomes, const std::string& series)
{
    for (const task::Series& further : outcomes.further)
        if (further.name == series)
            return further.predictions;
    std::vector<double> own;
    if (series.empty())
        for (const task::ItemOutcome& row : outcomes.rows)
            own.push_back(row.prediction);
    return own;
}

/// The items that the source is made of, group by group; one sample where it is over items. Empty
/// where the items have not what it names.
std::vector<Sample> samples_of(const run::Items& items, const task::Source& source)
{
    const task::Outcomes& outcomes = items.outcomes;
    const auto predictions = predictions_of(outcomes, source.series);
    if (predictions.empty())
        return {};
    const bool together = source.over == task::Over::items;
    std::vector<Sample> by_group(outcomes.groups.size());
    for (std::size_t row = 0; row < outcomes.rows.size(); ++row) {
        const task::ItemOutcome& outcome = outcomes.rows[row];
        if (!takes(source, outcomes.groups[outcome.group]))
            continue;
        Sample& sample = by_group[together ? 0 : outcome.group];
        sample.gold.push_back(outcome.gold);
        sample.predicted.push_back(predictions[row]);
    }
    std::erase_if(by_group, [](const Sample& sample) { return sample.gold.empty(); });
    return by_group;
}

/// Whether the metric is the mean of a value of each item.
bool is_mean(const task::Metric& metric)
{
    const auto* named = stats::find_statistic(metric.source.statistic);
    return named != nullptr && named->of_item != nullptr && metric.source.over == task::Over::items;
}

bool is_share(const task::Metric& metric)
{
    return is_mean(metric) && stats::find_statistic(metric.source.statistic)->is_share;
}

/// What each item adds to a metric that is a mean.
std::vector<double> values_of_items(const run::Items& items, const task::Metric& metric)
{
    const auto* named = stats::find_statistic(metric.source.statistic);
    std::vector<double> values;
    for (const Sample& sample : samples_of(items, metric.source))
        std::transform(sample.gold.begin(), sample.gold.end(), sample.predicted.begin(),
                       std::back_inserter(values), named->of_item);
    return values;
}

/// Over the seeds.
std::vector<double> mean_of_items(const Runs& runs, const task::Metric& metric)
{
    std::vector<double> mean = values_of_items(runs.front()->items, metric);
    for (std::size_t run = 1; run < runs.size(); ++run) {
        const auto values = values_of_items(runs[run]->items, metric);
        std::transform(mean.begin(), mean.end(), values.begin(), mean.begin(), std::plus<>());
    }
    for (double& value : mean)
        value /= static_cast<double>(runs.size());
    return mean;
}

bool same_items(const run::Items& a, const run::Items& b)
{
    return std::equal(a.outcomes.rows.begin(), a.outcomes.rows.end(), b.outcomes.rows.begin(),
                      b.outcomes.rows.end(), [](const auto& x, const auto& y) {
                          return x.item == y.item && x.group == y.group && x.gold == y.gold;
                      });
}

/// Why the two cannot be tested against each other; empty where they can.
std::string not_comparable(const Runs& first, const Runs& second, const task::Metric& metric)
{
    if (stats::find_statistic(metric.source.statistic) == nullptr)
        return "no function of the test items";
    const run::Cell& reference = *second.front();
    for (const Runs* runs : {&first, &second})
        for (const run::Cell* cell : *runs) {
            if (samples_of(cell->items, metric.source).empty())
                return "no test items";
            if (cell->document.at("data").at("files") !=
                    reference.document.at("data").at("files") ||
                !same_items(cell->items, reference.items))
                return "other test items";
        }
    return "";
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

Difference mean_difference(const Runs& first,
                           const Runs& second,
                           const task::Metric& metric,
                           const stats::Resampling& resampling)
{
    const auto a = mean_of_items(first, metric);
    const auto b = mean_of_items(second, metric);
    std::vector<double> differences(a.size());
    std::transform(a.begin(), a.end(), b.begin(), differences.begin(), std::minus<>());
    Difference result;
    if (is_share(metric) && first.size() == 1 && second.size() == 1) {
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
    result.test = first.size() + second.size() > 2 ? "sign-flip permutation over seeds"
                                                   : "sign-flip permutation";
    return result;
}

/// The metric, over its scale, as a mean over the seeds.
stats::StatisticPtr mean_over_seeds(const Runs& runs, const task::Metric& metric)
{
    std::vector<stats::StatisticPtr> parts;
    for (const run::Cell* cell : runs)
        parts.push_back(statistic_of(cell->items, metric));
    const std::vector<double> weights(runs.size(), 1.0 / static_cast<double>(runs.size()));
    return stats::combination(std::move(parts), weights);
}

Difference bootstrap_difference(const Runs& first,
                                const Runs& second,
                                const task::Metric& metric,
                                const stats::Resampling& resampling)
{
    const auto statistic =
        stats::difference(mean_over_seeds(first, metric), mean_over_seeds(second, metric));
    const auto test = stats::paired_bootstrap(*statistic, resampling);
    Difference result;
    result.interval = test.interval;
    result.p_value = test.p_value;
    result.test = "paired bootstrap";
    // A bootstrap interval is about 2 * 1.96 standard errors wide; power 80 % needs 1.96 + 0.84.
    const double standard_error = (test.interval.high - test.interval.low) / (2 * 1.959964);
    result.detectable = (1.959964 + 0.841621) * standard_error;
    return result;
}

/// Where the metric is Pearson's correlation of one set, under one seed.
void use_williams(Difference& result,
                  const Runs& first,
                  const Runs& second,
                  const task::Metric& metric)
{
    if (first.size() + second.size() > 2 ||
        !stats::find_statistic(metric.source.statistic)->is_pearson)
        return;
    const auto a = samples_of(first.front()->items, metric.source);
    const auto b = samples_of(second.front()->items, metric.source);
    if (a.size() != 1)
        return;
    const auto& gold = a.front().gold;
    const auto test = stats::williams(
        stats::pearson(a.front().predicted, gold).r, stats::pearson(b.front().predicted, gold).r,
        stats::pearson(a.front().predicted, b.front().predicted).r, gold.size());
    if (std::isnan(test.p_value))
        return; // the same predictions, say: the bootstrap has an answer
    result.p_value = test.p_value;
    result.test = "Williams";
}

std::vector<double> values_of(const Runs& runs, const task::Metric& metric)
{
    std::vector<double> values;
    for (const run::Cell* cell : runs)
        if (const auto value = metric.value_in(cell->document.at("metrics")))
            values.push_back(*value);
    return values;
}

} // namespace

bool takes(const task::Source& source, const std::string& group)
{
    return source.groups.empty() ||
           std::find(source.groups.begin(), source.groups.end(), group) != source.groups.end();
}

stats::StatisticPtr statistic_of(const run::Items& items, const task::Metric& metric)
{
    const auto* named = stats::find_statistic(metric.source.statistic);
    const auto samples =
        named == nullptr ? std::vector<Sample>() : samples_of(items, metric.source);
    if (samples.empty())
        return nullptr;
    if (samples.size() == 1)
        return named->make(samples.front().gold, samples.front().predicted);
    std::size_t total = 0;
    for (const Sample& sample : samples)
        total += sample.gold.size();
    std::vector<stats::StatisticPtr> parts;
    std::vector<double> weights;
    for (const Sample& sample : samples) {
        parts.push_back(named->make(sample.gold, sample.predicted));
        weights.push_back(metric.source.over == task::Over::weighted_groups
                              ? static_cast<double>(sample.gold.size()) / static_cast<double>(total)
                              : 1.0 / static_cast<double>(samples.size()));
    }
    return stats::weighted_sum(std::move(parts), std::move(weights));
}

stats::Estimate estimate_of(const run::Items& items,
                            const task::Metric& metric,
                            const stats::Resampling& resampling)
{
    stats::Estimate found{nan, {nan, nan}, nan};
    const auto statistic = statistic_of(items, metric);
    if (!statistic)
        return found;
    if (is_share(metric)) {
        const auto right = values_of_items(items, metric);
        const auto n = static_cast<double>(right.size());
        const double hits = std::accumulate(right.begin(), right.end(), 0.0);
        found.value = hits / n;
        found.interval = stats::wilson(static_cast<std::size_t>(hits), right.size());
        found.standard_error = std::sqrt(hits / n * (1 - hits / n) / n);
    } else {
        found = stats::bootstrap(*statistic, resampling);
    }
    const double scale = metric.scale();
    found.value *= scale;
    found.interval = {found.interval.low * scale, found.interval.high * scale};
    found.standard_error *= scale;
    return found;
}

Score score_of(const Runs& runs, const task::Metric& metric, const stats::Resampling* resampling)
{
    const auto values = values_of(runs, metric);
    const auto summary = stats::summarise(values);
    Score score{summary.mean, summary.sd, {nan, nan}, nan, 0, values.size()};
    if (values.empty())
        return score;
    const run::Items& items = runs.front()->items;
    for (const Sample& sample : samples_of(items, metric.source))
        score.items += sample.gold.size();
    if (resampling == nullptr)
        return score;
    const auto estimate = estimate_of(items, metric, *resampling);
    const double shift = values.size() > 1 ? score.value - values.front() : 0.0;
    score.interval = {estimate.interval.low + shift, estimate.interval.high + shift};
    score.standard_error = estimate.standard_error;
    return score;
}

Difference difference_of(const Runs& first,
                         const Runs& second,
                         const task::Metric& metric,
                         const stats::Resampling& resampling)
{
    Difference result{stats::summarise(values_of(first, metric)).mean -
                          stats::summarise(values_of(second, metric)).mean,
                      {nan, nan},
                      nan,
                      nan,
                      "",
                      ""};
    if (std::isnan(result.value))
        return result;
    result.not_comparable = not_comparable(first, second, metric);
    if (!result.not_comparable.empty())
        return result;
    const double value = result.value;
    if (is_mean(metric)) {
        result = mean_difference(first, second, metric, resampling);
    } else {
        result = bootstrap_difference(first, second, metric, resampling);
        use_williams(result, first, second, metric);
    }
    if (std::isnan(result.p_value))
        result.not_comparable = "undefined";
    const double scale = metric.scale();
    result.value = value;
    result.interval = {result.interval.low * scale, result.interval.high * scale};
    result.detectable *= scale;
    return result;
}

} // namespace senteval::compare
