#include "compare/scoring.hpp"

#include "measures/named_statistic.hpp"
#include "stats/interval.hpp"
#include "stats/statistic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace senteval::compare {
namespace {

/// The rows of the outcomes that the source is made of, group by group; one list where it is over items.
std::vector<std::vector<std::size_t>> rows_of(const results::Outcomes& outcomes,
                                              const results::Source& source)
{
    const bool together = source.over == results::Over::items;
    std::vector<std::vector<std::size_t>> by_group(outcomes.groups.size());
    for (std::size_t row = 0; row < outcomes.rows.size(); ++row)
        if (takes(source, outcomes.groups[outcomes.rows[row].group]))
            by_group[together ? 0 : outcomes.rows[row].group].push_back(row);
    std::erase_if(by_group, [](const auto& rows) { return rows.empty(); });
    return by_group;
}

/// The predictions that the source names, one per row; nothing where the items have none of the name.
std::vector<double> predictions_of(const results::Outcomes& outcomes, const std::string& series)
{
    for (const results::Series& further : outcomes.further)
        if (further.name == series)
            return further.predictions;
    std::vector<double> own;
    if (series.empty())
        for (const results::ItemOutcome& row : outcomes.rows)
            own.push_back(row.prediction);
    return own;
}

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

std::optional<stats::Fit> fit_of(const results::Cell& cell, const results::Metric& metric)
{
    stats::Statistic statistic = statistic_of(cell.items, metric);
    if (std::isnan(statistic.value) || statistic.influence.empty())
        return std::nullopt;
    return stats::Fit{cell.result.protocol.resample(), statistic.value,
                      std::move(statistic.influence)};
}

bool have_same_predictions(const results::Cell& first,
                           const results::Cell& second,
                           const results::Source& source)
{
    constexpr double last_places = 16 * double{std::numeric_limits<float>::epsilon()};
    const auto a = samples_of(first.items, source);
    const auto b = samples_of(second.items, source);
    double apart = 0;
    double largest = 0;
    for (std::size_t group = 0; group < a.size(); ++group)
        for (std::size_t item = 0; item < a[group].predicted.size(); ++item) {
            const double one = a[group].predicted[item];
            const double other = b[group].predicted[item];
            apart = std::max(apart, std::abs(one - other));
            largest = std::max({largest, std::abs(one), std::abs(other)});
        }
    return apart <= last_places * largest;
}

} // namespace

std::vector<results::Metric> by_fit(const results::Metric& metric)
{
    if (metric.source.fits == 0)
        return {metric};
    std::vector<results::Metric> fits(metric.source.fits, metric);
    for (std::size_t fit = 0; fit < fits.size(); ++fit) {
        fits[fit].source.series = fmt::format("{} {}", metric.source.series, fit + 1);
        fits[fit].source.fits = 0;
    }
    return fits;
}

bool takes(const results::Source& source, const std::string& group)
{
    return source.groups.empty() || std::ranges::count(source.groups, group) > 0;
}

results::Items items_where(const results::Items& items,
                           const std::function<bool(std::size_t)>& is_chosen)
{
    const results::Outcomes& from = items.outcomes;
    results::Items chosen;
    results::Outcomes& to = chosen.outcomes;
    to.groups = from.groups;
    for (const results::Series& series : from.further)
        to.further.push_back({series.name, {}});
    for (std::size_t row = 0; row < from.rows.size(); ++row) {
        if (!is_chosen(row))
            continue;
        to.rows.push_back(from.rows[row]);
        if (!items.traits.empty())
            chosen.traits.push_back(items.traits[row]);
        for (std::size_t at = 0; at < to.further.size(); ++at)
            to.further[at].predictions.push_back(from.further[at].predictions[row]);
    }
    return chosen;
}

std::vector<Sample> samples_of(const results::Items& items, const results::Source& source)
{
    const results::Outcomes& outcomes = items.outcomes;
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

bool is_share(const results::Metric& metric)
{
    const auto* named = measures::find_statistic(metric.source.statistic);
    return named != nullptr && named->is_share && metric.source.over == results::Over::items;
}

stats::Statistic statistic_of(const results::Items& items, const results::Metric& metric)
{
    const auto* named = measures::find_statistic(metric.source.statistic);
    const auto samples =
        named == nullptr ? std::vector<Sample>() : samples_of(items, metric.source);
    if (samples.empty())
        return {};
    double total = 0;
    for (const Sample& sample : samples)
        total += static_cast<double>(sample.gold.size());
    std::vector<stats::Statistic> parts;
    std::vector<double> weights;
    for (const Sample& sample : samples) {
        parts.push_back(named->of(sample.gold, sample.predicted));
        weights.push_back(metric.scale() * (metric.source.over == results::Over::weighted_groups
                                                ? static_cast<double>(sample.gold.size()) / total
                                                : 1.0 / static_cast<double>(samples.size())));
    }
    return stats::weighted_sum(parts, weights);
}

stats::Fits fits_of(const Row& row, std::size_t task, const results::Metric& metric)
{
    stats::Fits fits;
    for (const results::Cell* cell : row.tasks[task])
        for (const results::Metric& one : by_fit(metric)) {
            auto fit = fit_of(*cell, one);
            if (!fit)
                return {};
            fits.seeds.push_back(std::move(*fit));
        }
    for (const results::Cell* half : row.resampled[task])
        if (auto fit = fit_of(*half, metric))
            fits.halves.push_back(std::move(*fit));
    return fits;
}

stats::Sources sources_of(const results::Items& items, const results::Metric& metric)
{
    stats::Sources sources;
    for (const auto& rows : rows_of(items.outcomes, metric.source))
        for (const std::size_t row : rows) {
            const results::ItemTraits& traits = items.traits[row];
            if (traits.source_first == results::ItemTraits::alone)
                return {};
            sources.first.push_back(traits.source_first);
            sources.second.push_back(traits.source_second);
        }
    return sources;
}

stats::Interval interval_of(double value,
                            const stats::Variance& variance,
                            const results::Metric& metric,
                            std::size_t items)
{
    const double t = stats::t_quantile(1 - 0.95, variance.freedom);
    const double scale = metric.scale();
    const double error = variance.standard_error();
    if (is_share(metric)) {
        const auto interval = stats::wilson_of(value / scale, error * error / (scale * scale),
                                               static_cast<double>(items), t);
        return {interval.low * scale, interval.high * scale};
    }
    if (metric.unit == results::correlation)
        return stats::fisher(value, error, t);
    const auto* named = measures::find_statistic(metric.source.statistic);
    const double least = named == nullptr ? 0.0 : named->least;
    const double most =
        metric.unit == results::percent ? scale : std::numeric_limits<double>::infinity();
    return {value >= least ? std::max(least, value - t * error) : value - t * error,
            value <= most ? std::min(most, value + t * error) : value + t * error};
}

Score score_of(const Runs& runs, const results::Metric& metric)
{
    Score score;
    const auto fits = by_fit(metric);
    for (const results::Cell* cell : runs) {
        if (fits.size() > 1 && !cell->items.outcomes.rows.empty()) {
            for (const results::Metric& fit : fits)
                score.values.push_back(statistic_of(cell->items, fit).value);
        } else if (const auto value = metric.value_in(cell->result.metrics)) {
            score.values.push_back(*value);
        }
    }
    const auto summary = stats::summarise(score.values);
    score.value = score.values.size() > 1 ? without_last_places(summary.mean) : summary.mean;
    score.sd = summary.sd;
    score.seeds = score.values.size();
    if (!std::isnan(score.value))
        for (const Sample& sample : samples_of(runs.front()->items, fits.front().source))
            score.items += sample.gold.size();
    return score;
}

bool have_same_items(const results::Cell& a, const results::Cell& b)
{
    return a.result.data.files == b.result.data.files &&
           std::ranges::equal(a.items.outcomes.rows, b.items.outcomes.rows,
                              [](const auto& x, const auto& y) {
                                  return x.item == y.item && x.group == y.group && x.gold == y.gold;
                              });
}

bool have_same_predictions(const Runs& first, const Runs& second, const results::Metric& metric)
{
    const auto are_same = [&](const results::Cell* a, const results::Cell* b) {
        return std::ranges::all_of(by_fit(metric), [&](const results::Metric& fit) {
            return have_same_predictions(*a, *b, fit.source);
        });
    };
    const auto are_one = [&](const Runs& runs) { // whatever the seed
        return std::ranges::all_of(
            runs, [&](const results::Cell* run) { return are_same(first.front(), run); });
    };
    return std::ranges::equal(first, second, are_same) || (are_one(first) && are_one(second));
}

} // namespace senteval::compare
