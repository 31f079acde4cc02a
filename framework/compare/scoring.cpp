#include "compare/scoring.hpp"

#include "stats/named.hpp"
#include "stats/power.hpp"
#include "stats/products.hpp"
#include "stats/quantile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace senteval::compare {
namespace {

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

} // namespace

bool takes(const task::Source& source, const std::string& group)
{
    return source.groups.empty() ||
           std::find(source.groups.begin(), source.groups.end(), group) != source.groups.end();
}

std::vector<std::vector<std::size_t>> rows_of(const task::Outcomes& outcomes,
                                              const task::Source& source)
{
    const bool together = source.over == task::Over::items;
    std::vector<std::vector<std::size_t>> by_group(outcomes.groups.size());
    for (std::size_t row = 0; row < outcomes.rows.size(); ++row)
        if (takes(source, outcomes.groups[outcomes.rows[row].group]))
            by_group[together ? 0 : outcomes.rows[row].group].push_back(row);
    std::erase_if(by_group, [](const auto& rows) { return rows.empty(); });
    return by_group;
}

std::vector<Sample> samples_of(const run::Items& items, const task::Source& source)
{
    const task::Outcomes& outcomes = items.outcomes;
    const auto predictions = predictions_of(outcomes, source.series);
    std::vector<Sample> samples;
    if (predictions.empty())
        return samples;
    for (const auto& rows : rows_of(outcomes, source)) {
        Sample& sample = samples.emplace_back();
        for (const std::size_t row : rows) {
            sample.gold.push_back(outcomes.rows[row].gold);
            sample.predicted.push_back(predictions[row]);
        }
    }
    return samples;
}

bool is_share(const task::Metric& metric)
{
    const auto* named = stats::find_statistic(metric.source.statistic);
    return named != nullptr && named->is_share && metric.source.over == task::Over::items;
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

namespace {

/// Of the items that the metric is made of, in their order; empty where they share none.
stats::Sources shared_sources(const run::Items& items, const task::Source& source)
{
    stats::Sources sources;
    const task::Outcomes& outcomes = items.outcomes;
    for (std::size_t row = 0; row < outcomes.rows.size(); ++row) {
        if (!takes(source, outcomes.groups[outcomes.rows[row].group]))
            continue;
        if (items.traits[row].source_first == run::ItemTraits::alone)
            return {};
        sources.first.push_back(items.traits[row].source_first);
        sources.second.push_back(items.traits[row].source_second);
    }
    return sources;
}

} // namespace

std::optional<stats::Fit>
fit_of(const run::Items& items, const task::Metric& metric, const stats::Resampling& resampling)
{
    const auto statistic = statistic_of(items, metric);
    if (!statistic)
        return std::nullopt;
    std::vector<std::uint32_t> cluster;
    if (!statistic->is_smooth())
        cluster = clusters_in(items, metric);
    stats::Fit fit{0, statistic->observed() * metric.scale(),
                   stats::influence_of(*statistic, resampling, cluster), statistic->answer()};
    if (is_share(metric))
        fit.answer = 1 / static_cast<double>(statistic->items());
    if (std::isnan(fit.value))
        return std::nullopt;
    for (double& value : fit.influence)
        value *= metric.scale();
    fit.answer *= metric.scale();
    return fit;
}

std::optional<stats::Fit>
fit_of(const run::Cell& cell, const task::Metric& metric, const stats::Resampling& resampling)
{
    auto fit = fit_of(cell.items, metric, resampling);
    const auto value = metric.value_in(cell.document.at("metrics"));
    if (!fit || !value)
        return std::nullopt;
    fit->value = *value;
    fit->seed = seed_of(cell);
    return fit;
}

stats::Scored scored_of(const Row& row,
                        std::size_t task,
                        const task::Metric& metric,
                        const stats::Resampling& resampling)
{
    stats::Scored scored;
    for (const run::Cell* cell : row.tasks[task])
        if (auto fit = fit_of(*cell, metric, resampling))
            scored.fits.push_back(std::move(*fit));
    for (const run::Cell* half : row.resampled[task])
        if (auto fit = fit_of(*half, metric, resampling)) {
            fit->seed = resample_of(*half);
            scored.resampled.push_back(std::move(*fit));
        }
    return scored;
}

stats::Sources sources_of(const run::Items& items, const task::Metric& metric)
{
    const auto statistic = statistic_of(items, metric);
    return statistic && statistic->is_smooth() ? shared_sources(items, metric.source)
                                               : stats::Sources();
}

std::vector<std::uint32_t> clusters_in(const run::Items& items, const task::Metric& metric)
{
    return stats::clusters_of(shared_sources(items, metric.source));
}

std::string want_of_items(const run::Items& items, const task::Metric& metric, std::size_t count)
{
    constexpr std::size_t fewest = 4;
    if (count < fewest)
        return fmt::format("fewer than {} test items", fewest);
    const stats::Sources sources = sources_of(items, metric);
    return stats::Products(count, sources).effective() < fewest
               ? "nearly all test items share a sentence"
               : "";
}

stats::Interval interval_of(double value,
                            const stats::Spread& spread,
                            const task::Metric& metric,
                            std::size_t items)
{
    const double z = stats::t_quantile(0.05, spread.freedom);
    const double scale = metric.scale();
    const double error = spread.standard_error;
    if (is_share(metric)) {
        const auto interval = stats::wilson_of(value / scale, error * error / (scale * scale),
                                               static_cast<double>(items), z);
        return {interval.low * scale, interval.high * scale};
    }
    if (metric.unit == task::correlation)
        return stats::fisher(value, error, z);
    const auto* named = stats::find_statistic(metric.source.statistic);
    const double least = named == nullptr ? 0.0 : named->least;
    const double most =
        metric.unit == task::percent ? scale : std::numeric_limits<double>::infinity();
    return {value >= least ? std::max(least, value - z * error) : value - z * error,
            value <= most ? std::min(most, value + z * error) : value + z * error};
}

namespace {

/// A mean without what its sum left in the last places: the same scores in another order, or others with the same
/// mean, are one value.
double without_last_places(double mean)
{
    constexpr int digits = 13;
    const int places = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(mean))));
    if (mean == 0 || !std::isfinite(mean) || places < 0 || places > 22)
        return mean;
    const double scale = std::pow(10.0, places);
    return std::round(mean * scale) / scale;
}

} // namespace

Score score_of(const Runs& runs, const task::Metric& metric)
{
    Score score;
    for (const run::Cell* cell : runs)
        if (const auto value = metric.value_in(cell->document.at("metrics")))
            score.values.push_back(*value);
    const auto summary = stats::summarise(score.values);
    score.value = score.values.size() > 1 ? without_last_places(summary.mean) : summary.mean;
    score.sd = summary.sd;
    score.seeds = score.values.size();
    if (!runs.empty() && !std::isnan(score.value))
        for (const Sample& sample : samples_of(runs.front()->items, metric.source))
            score.items += sample.gold.size();
    return score;
}

bool is_trained(const run::Cell& cell)
{
    const auto& settings = cell.document.at("protocol").value("settings", core::Json::object());
    return settings.contains("seed");
}

} // namespace senteval::compare
