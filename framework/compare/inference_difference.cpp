// inference_difference.cpp -- what the spread of a task's scores says of the differences between rows.
#include "compare/inference.hpp"

#include "compare/same_scores.hpp"
#include "core/nan.hpp"
#include "stats/correlation.hpp"
#include "stats/named.hpp"
#include "stats/power.hpp"
#include "stats/signs.hpp"
#include "stats/williams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace senteval::compare {
namespace {

using stats::Population;

/// Why two results are not of the same items.
std::string what_differs(const run::Cell& a, const run::Cell& b)
{
    const auto folds = [](const run::Cell& cell) {
        return cell.document.at("protocol").at("settings").value("kfold", 0);
    };
    const bool same_files = a.document.at("data").at("files") == b.document.at("data").at("files");
    return same_files && folds(a) != folds(b)
               ? fmt::format("other folds (kfold {} and {})", folds(a), folds(b))
               : "other test items";
}

} // namespace

double largest_difference(const task::Metric& metric)
{
    return metric.unit == task::percent       ? metric.scale()
           : metric.unit == task::correlation ? 2.0
                                              : std::numeric_limits<double>::infinity();
}

std::string words_for(Population population, bool trained)
{
    if (!trained)
        return "these encoders on new items";
    switch (population) {
    case Population::items:
        return "these trained classifiers on new items";
    case Population::seeds:
        return "these encoders under new seeds, on this training set, on new items";
    case Population::training:
        break;
    }
    return "these encoders under new seeds and new training sets, on new items";
}

std::string
Inference::undecided(std::size_t first, std::size_t second, const stats::Spread& spread) const
{
    if (!trained_ || widest_ == spread.population || spread.population == Population::training)
        return "";
    const Training& a = training_[first];
    const Training& b = training_[second];
    if ((a.idle_halves || b.idle_halves) && spread.population == Population::seeds)
        return "many halves of the training part teach nothing (nearly all items are called the "
               "same), "
               "so that how much another training set would change is not known";
    const std::size_t items = a.items == 0   ? b.items
                              : b.items == 0 ? a.items
                                             : std::min(a.items, b.items);
    if ((a.few_halves || b.few_halves) &&
        (items < fewest_trained_on || widest_ == Population::training))
        return fmt::format(
            "the training set was resampled fewer than {} times, which tells too little of how "
            "much another would change: run with --resample-training 20",
            stats::fewest_halves);
    if (widest_ && spread.population < *widest_)
        return *widest_ == Population::seeds
                   ? "one seed, and how much seeds matter is not known: run with --seeds 5"
                   : "the training set was not resampled: run with --resample-training 20";
    const bool is_small = items > 0 && items < fewest_trained_on;
    if (spread.population == Population::items)
        return fmt::format("one seed, and how much seeds matter is not known: run with --seeds 5{}",
                           is_small ? " --resample-training 20" : "");
    if (is_small)
        return fmt::format(
            "one training set, of fewer than {} items: how much another would change "
            "is not known: run with --resample-training 20",
            fewest_trained_on);
    return "";
}

Difference Inference::difference(std::size_t first, std::size_t second) const
{
    Difference result;
    result.value = scores_[first].value - scores_[second].value;
    if (std::isnan(result.value))
        return result;
    for (const std::size_t row : {first, second})
        if (!places_[row]) {
            result.not_comparable = untested_[row];
            return result;
        }
    const Place a = *places_[first];
    const Place b = *places_[second];
    if (a.group != b.group) {
        const auto& rows = results_->rows();
        result.not_comparable =
            what_differs(*rows[first].tasks[task_].front(), *rows[second].tasks[task_].front());
        return result;
    }
    const stats::Crossed& crossed = groups_[a.group].crossed;
    const stats::Spread spread = crossed.of_difference(a.at, b.at);
    result.population = spread.population;
    result.answer = std::max(crossed.answer(a.at), crossed.answer(b.at));
    result.undecided = undecided(first, second, spread);
    if (are_same(a, b)) {
        result.same_scores = true;
        result.standard_error = 0;
        result.effect = 0;
        result.p_value = 1;
        return result;
    }
    result.standard_error = spread.standard_error;
    result.freedom = spread.freedom;
    result.middle = spread.middle;
    result.repeated = spread.repeated;
    result.by_items = crossed.by_items(a.at, b.at);
    if (const stats::SwapNull* null = null_of(a, b)) {
        result.standard_error = null->standard_error();
        result.repeated.reset();
    }
    const double deviation = crossed.item_deviation(a.at, b.at);
    result.effect = deviation > 0 ? result.value / deviation : 0.0;
    result.p_value = p_value(a, b, spread);
    return result;
}

bool Inference::are_same(Place a, Place b) const
{
    return groups_[a.group].same.contains(std::minmax(a.at, b.at));
}

std::vector<std::pair<std::size_t, std::size_t>> Inference::same_scores() const
{
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const Group& group : groups_)
        for (const auto& [a, b] : group.same)
            pairs.emplace_back(group.rows[a], group.rows[b]);
    return pairs;
}

/// Where the metric is not smooth.
const stats::SwapNull* Inference::null_of(Place a, Place b) const
{
    const auto& nulls = groups_[a.group].nulls;
    const auto null = nulls.find(std::minmax(a.at, b.at));
    return null == nulls.end() ? nullptr : &null->second;
}

/// Of a test of two results that are not the same.
double Inference::p_value(Place a, Place b, const stats::Spread& spread) const
{
    if (const auto contributions = signs(a, b); !contributions.empty())
        return stats::sign_flip_p_value(contributions);
    const Group& group = groups_[a.group];
    const double first = scores_[group.rows[a.at]].value;
    const double second = scores_[group.rows[b.at]].value;
    if (is_rounding(first, second, scores_[group.rows[a.at]].items))
        return 1;
    if (const stats::SwapNull* null = null_of(a, b))
        return std::max(null->p_value(first - second), least_p_of(group));
    // Where no item varies, each of them says the same, and how many there are is all that is known.
    const double p = spread.standard_error > 0 ? spread.p_value(first - second) : 0.0;
    return std::max(p, least_p_of(group));
}

/// Of a statistic that has replicates in place of influences, none of them is rarer than one of them.
double Inference::least_p_of(const Group& group) const
{
    const std::size_t items = scores_[group.rows.front()].items;
    const std::size_t influences = group.crossed.items();
    const double of_replicates =
        influences == items ? 0.0 : 1 / (static_cast<double>(influences) + 1);
    return std::max(least_p(items), of_replicates);
}

/// What the items contribute to the difference, where it is tested by their signs; else empty.
std::vector<double> Inference::signs(Place a, Place b) const
{
    const auto& swaps = groups_[a.group].swaps;
    const auto at = swaps.find(std::minmax(a.at, b.at));
    if (at == swaps.end())
        return {};
    std::vector<double> each = at->second;
    if (a.at > b.at)
        for (double& value : each)
            value = -value;
    return each;
}

stats::Interval Inference::interval(std::size_t first, std::size_t second, double single) const
{
    const Place a = *places_[first];
    const Place b = *places_[second];
    const double difference = scores_[first].value - scores_[second].value;
    if (are_same(a, b))
        return {std::min(0.0, difference), std::max(0.0, difference)};
    const double most = largest_difference(metric_);
    if (const auto contributions = signs(a, b); !contributions.empty()) {
        const stats::Interval interval = stats::sign_flip_interval(contributions, single);
        return {std::max(-most, interval.low), std::min(most, interval.high)};
    }
    const stats::Spread spread = groups_[a.group].crossed.of_difference(a.at, b.at);
    const stats::SwapNull* const null = null_of(a, b);
    const double half = null != nullptr
                            ? null->half_width(single)
                            : stats::t_quantile(single, spread.freedom) * spread.standard_error;
    stats::Interval interval{std::max(-most, difference - half), std::min(most, difference + half)};
    // An interval that ends at one of the few values that the metric takes says what the p-value says.
    const double p = null != nullptr ? null->p_value(difference) : core::nan;
    if (double& near = difference > 0 ? interval.low : interval.high;
        p <= single && near * difference <= 0)
        near = std::copysign(std::numeric_limits<double>::min(), difference);
    if (p > single || least_p_of(groups_[a.group]) > single) // too few, however alike they are
        interval = {std::min(0.0, interval.low), std::max(0.0, interval.high)};
    return interval;
}

std::vector<std::size_t> Inference::comparable_with(std::size_t row) const
{
    return places_[row] ? groups_[places_[row]->group].rows : std::vector<std::size_t>();
}

bool Inference::knows_covariance(std::size_t row) const
{
    const Group& group = groups_[places_[row]->group];
    const bool is_by_signs =
        std::ranges::any_of(group.swaps, [](const auto& pair) { return !pair.second.empty(); });
    return !is_by_signs && !group.crossed.goes_by_few_seeds();
}

std::vector<double> Inference::covariance(std::size_t row) const
{
    return groups_[places_[row]->group].crossed.covariance();
}

double Inference::williams(std::size_t first, std::size_t second) const
{
    const auto& rows = results_->rows();
    const Runs& a = rows[first].tasks[task_];
    const Runs& b = rows[second].tasks[task_];
    if (!places_[first] || !places_[second])
        return core::nan;
    if (a.size() + b.size() > 2 || !stats::find_statistic(metric_.source.statistic)->is_pearson)
        return core::nan;
    const auto one = samples_of(a.front()->items, metric_.source);
    const auto other = samples_of(b.front()->items, metric_.source);
    if (one.size() != 1)
        return core::nan;
    const auto& gold = one.front().gold;
    return stats::williams(stats::pearson(one.front().predicted, gold).r,
                           stats::pearson(other.front().predicted, gold).r,
                           stats::pearson(one.front().predicted, other.front().predicted).r,
                           gold.size())
        .p_value;
}

} // namespace senteval::compare
