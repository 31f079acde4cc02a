#include "compare/inference.hpp"

#include "compare/same_scores.hpp"
#include "compare/seed_table.hpp"
#include "compare/swaps.hpp"
#include "stats/correlation.hpp"
#include "stats/named.hpp"
#include "stats/power.hpp"
#include "stats/signs.hpp"
#include "stats/williams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace senteval::compare {
namespace {

using stats::Population;

/// On so few training items another training set of the size changes more than another seed: 22 % of
/// equally good encoders on 300 items were told apart by seeds alone.
constexpr std::size_t fewest_trained_on = 2000;

bool same_items(const run::Cell& a, const run::Cell& b)
{
    const auto& first = a.items.outcomes.rows;
    const auto& second = b.items.outcomes.rows;
    return a.document.at("data").at("files") == b.document.at("data").at("files") &&
           std::equal(first.begin(), first.end(), second.begin(), second.end(),
                      [](const auto& x, const auto& y) {
                          return x.item == y.item && x.group == y.group && x.gold == y.gold;
                      });
}

std::string settings_of(const run::Cell& cell)
{
    return training_settings(cell.document.at("protocol").at("settings"));
}

/// A table of the published data says nothing of a sample.
bool is_published(const run::Cell& cell)
{
    return !cell.document.at("data").contains("doubts");
}

std::size_t trained_on(const run::Cell& cell)
{
    const auto& document = cell.document;
    return document.contains("details") ? document.at("details").value("trained_on", std::size_t{0})
                                        : 0;
}

/// The rows that have results of the task, in an order that is theirs, whatever order their files came in: random
/// draws follow it.
std::vector<std::size_t> in_order(const Results& results, std::size_t task)
{
    std::vector<std::pair<std::string, std::size_t>> rows;
    for (std::size_t row = 0; row < results.rows().size(); ++row) {
        const Row& one = results.rows()[row];
        if (!one.tasks[task].empty())
            rows.emplace_back(
                fmt::format("{} {} {}",
                            text_at(one.tasks[task].front()->document, "/encoder/fingerprint"),
                            one.projection, one.variant),
                row);
    }
    std::sort(rows.begin(), rows.end());
    std::vector<std::size_t> order;
    for (const auto& [key, row] : rows)
        order.push_back(row);
    return order;
}

/// Whether nearly all items are called the same, which they are not.
bool has_learned_nothing(const run::Cell& cell)
{
    const task::Outcomes& outcomes = cell.items.outcomes;
    if (outcomes.kind != "class" || outcomes.rows.empty())
        return false;
    std::map<double, std::size_t> gold;
    std::map<double, std::size_t> predicted;
    for (const task::ItemOutcome& row : outcomes.rows) {
        ++gold[row.gold];
        ++predicted[row.prediction];
    }
    const auto largest_share = [&](const std::map<double, std::size_t>& counts) {
        std::size_t most = 0;
        for (const auto& [value, count] : counts)
            most = std::max(most, count);
        return static_cast<double>(most) / static_cast<double>(outcomes.rows.size());
    };
    return largest_share(predicted) > 0.95 && largest_share(gold) < 0.9;
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

Inference::Inference(const Results& results,
                     std::size_t task,
                     const task::Metric& metric,
                     const stats::Resampling& resampling,
                     std::optional<Population> widest,
                     bool learning)
    : metric_(metric), task_(task), results_(&results), widest_(widest), learning_(learning)
{
    const std::size_t rows = results.rows().size();
    places_.resize(rows);
    untested_.resize(rows);
    scores_.resize(rows);
    for (const std::size_t row : in_order(results, task)) {
        const Runs& runs = results.rows()[row].tasks[task];
        scores_[row] = score_of(runs, metric);
        if (std::isnan(scores_[row].value))
            continue;
        trained_ = trained_ || is_trained(*runs.front());
        trained_on_ = std::max(trained_on_, trained_on(*runs.front()));
        add(results, row, resampling);
    }
    add_seed_variance(results);
    for (Group& group : groups_)
        cross(group, widest.value_or(Population::training));
}

/// Into the group that has its items.
void Inference::add(const Results& results, std::size_t row, const stats::Resampling& resampling)
{
    const Runs& runs = results.rows()[row].tasks[task_];
    if (stats::find_statistic(metric_.source.statistic) == nullptr) {
        untested_[row] = "no function of the test items";
        return;
    }
    stats::Scored scored;
    for (const run::Cell* cell : runs) {
        auto fit = fit_of(*cell, metric_, resampling);
        if (!fit) {
            const bool has_items = !samples_of(cell->items, metric_.source).empty();
            untested_[row] = has_items ? "undefined" : "no test items";
            return;
        }
        if (!same_items(*cell, *runs.front())) {
            untested_[row] = "other test items";
            return;
        }
        scored.fits.push_back(std::move(*fit));
    }
    const Runs& halves = results.rows()[row].resampled[task_];
    for (const run::Cell* cell : halves)
        if (auto fit = fit_of(*cell, metric_, resampling);
            fit && same_items(*cell, *runs.front())) {
            fit->seed = resample_of(*cell);
            scored.resampled.push_back(std::move(*fit));
        }
    few_halves_ = few_halves_ ||
                  (!scored.resampled.empty() && scored.resampled.size() < stats::fewest_halves);
    // Where many give but a constant, what halves differ by says nothing of what whole sets differ by.
    const auto idle = std::count_if(halves.begin(), halves.end(), [](const run::Cell* cell) {
        return has_learned_nothing(*cell);
    });
    if (4 * static_cast<std::size_t>(idle) > halves.size()) {
        scored.resampled.clear();
        idle_halves_ = true;
    }
    const auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& other) {
        return same_items(*runs.front(), *results.rows()[other.rows.front()].tasks[task_].front());
    });
    const auto number = static_cast<std::size_t>(group - groups_.begin());
    if (group == groups_.end())
        groups_.emplace_back();
    places_[row] = Place{number, groups_[number].rows.size()};
    groups_[number].rows.push_back(row);
    groups_[number].scored.push_back(std::move(scored));
}

/// To rows of one seed: by the task's table, and the rows here that are trained alike; these not where no row
/// has a say in another's comparisons, and the table speaks of it.
void Inference::add_seed_variance(const Results& results)
{
    if (!trained_)
        return;
    for (Group& group : groups_) {
        const auto cell_of = [&](std::size_t at) -> const run::Cell& {
            return *results.rows()[group.rows[at]].tasks[task_].front();
        };
        const stats::Sources sources = sources_of(cell_of(0).items, metric_);
        std::map<std::string, std::vector<stats::SeedVariance>> here;
        for (std::size_t at = 0; at < group.scored.size(); ++at)
            if (group.scored[at].fits.size() > 1)
                here[settings_of(cell_of(at))].push_back(
                    *stats::Crossed({&group.scored[at], 1}, sources, 0).by_seed(0));
        for (std::size_t at = 0; at < group.scored.size(); ++at) {
            stats::Scored& scored = group.scored[at];
            std::string& source = scores_[group.rows[at]].seed_source;
            if (scored.fits.size() > 1) {
                source = "own seeds";
                continue;
            }
            const std::string settings = settings_of(cell_of(at));
            const auto* known = known_of(cell_of(at), settings, scored);
            if (known != nullptr)
                scored.by_seed = known->of_encoder(kind_of(cell_of(at).document.at("encoder")),
                                                   scores_[group.rows[at]].value);
            if (scored.by_seed) {
                source = "built-in table: this encoder";
                note_source("the built-in table, which has the encoder");
                continue;
            }
            const bool alone = known != nullptr && !learning_;
            const auto others = alone ? std::vector<stats::SeedVariance>() : here[settings];
            scored.by_seed = seed_table().expected(known, others);
            if (!scored.by_seed)
                continue;
            source = known == nullptr ? "other encoders here"
                     : others.empty() ? "built-in table"
                                      : "built-in table and other encoders here";
            note_source(known == nullptr
                            ? "the encoders here that have several seeds"
                            : fmt::format("the built-in table ({}){}", seed_table().measured_with,
                                          others.empty() ? ""
                                                         : " and the encoders here that "
                                                           "have several seeds"));
        }
    }
}

/// The table's measurement that speaks of the cell; else nullptr.
const SeedMeasurement* Inference::known_of(const run::Cell& cell,
                                           const std::string& settings,
                                           const stats::Scored& scored) const
{
    return is_published(cell)
               ? seed_table().find(text_at(cell.document, "/task/name"), metric_.path, settings,
                                   scored.fits.front().influence.size())
               : nullptr;
}

void Inference::note_source(const std::string& source)
{
    if (seed_source_.find(source) == std::string::npos)
        seed_source_ += (seed_source_.empty() ? "" : ", or ") + source;
}

void Inference::cross(Group& group, Population widest)
{
    const run::Cell& cell = *results_->rows()[group.rows.front()].tasks[task_].front();
    const double share = is_share(metric_) ? metric_.scale() : 0.0;
    group.crossed =
        stats::Crossed(group.scored, sources_of(cell.items, metric_), share, widest, learning_);
    for (std::size_t at = 0; at < group.rows.size(); ++at) {
        Score& score = scores_[group.rows[at]];
        const stats::Spread spread = group.crossed.of_score(at);
        score.resampled = group.scored[at].resampled.size();
        score.standard_error = spread.standard_error;
        score.population = spread.population;
        score.interval = interval_of(score.value, spread, metric_, score.items);
    }
    group.scored.clear(); // the influences are large, and no longer needed
    compare_rows(group);
}

/// Which are the same; and what items contribute to the differences of one fit each that are tested by signs.
void Inference::compare_rows(Group& group)
{
    const auto runs_of = [&](std::size_t at) -> const Runs& {
        return results_->rows()[group.rows[at]].tasks[task_];
    };
    for (std::size_t a = 0; a < group.rows.size(); ++a)
        for (std::size_t b = a + 1; b < group.rows.size(); ++b)
            if (have_same_scores(runs_of(a), runs_of(b), metric_))
                group.same.insert({a, b});
            else if (runs_of(a).size() == 1 && runs_of(b).size() == 1 &&
                     !group.crossed.contributions(a, b).empty())
                group.swaps[{a, b}] = swap_contributions(runs_of(a).front()->items,
                                                         runs_of(b).front()->items, metric_);
}

std::string Inference::undecided(const stats::Spread& spread) const
{
    if (!trained_ || widest_ == spread.population || spread.population == Population::training)
        return "";
    if (idle_halves_ && spread.population == Population::seeds)
        return "many halves of the training part teach nothing (nearly all items are called the "
               "same), "
               "so that how much another training set would change is not known";
    if (few_halves_ && (trained_on_ < fewest_trained_on || widest_ == Population::training))
        return fmt::format(
            "the training set was resampled fewer than {} times, which tells too little of how "
            "much another would change: run with --resample-training 20",
            stats::fewest_halves);
    if (widest_ && spread.population < *widest_)
        return *widest_ == Population::seeds
                   ? "one seed, and how much seeds matter is not known: run with --seeds 5"
                   : "the training set was not resampled: run with --resample-training 20";
    if (spread.population == Population::items)
        return "one seed, and how much seeds matter is not known: run with --seeds 5";
    if (trained_on_ > 0 && trained_on_ < fewest_trained_on)
        return fmt::format("one training set, of {} items: how much another would change is not "
                           "known: run with --resample-training 20",
                           trained_on_);
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
        result.not_comparable = "other test items";
        return result;
    }
    const stats::Crossed& crossed = groups_[a.group].crossed;
    const stats::Spread spread = crossed.of_difference(a.at, b.at);
    result.population = spread.population;
    result.undecided = undecided(spread);
    if (are_same(a, b)) {
        result.same_scores = true;
        result.standard_error = 0;
        result.effect = 0;
        result.p_value = 1;
        return result;
    }
    result.standard_error = spread.standard_error;
    result.freedom = spread.freedom;
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
    // Where no item varies, each of them says the same, and how many there are is all that is known.
    const double p =
        spread.standard_error > 0
            ? stats::t_p_value((first - second) / spread.standard_error, spread.freedom)
            : 0.0;
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
    const Group& group = groups_[a.group];
    const std::size_t items = group.crossed.items();
    if (items != scores_[group.rows[a.at]].items)
        return {};
    if (const auto swaps = group.swaps.find(std::minmax(a.at, b.at));
        swaps != group.swaps.end() && !swaps->second.empty()) {
        std::vector<double> each = swaps->second;
        if (a.at > b.at)
            for (double& value : each)
                value = -value;
        return each;
    }
    return group.crossed.contributions(a.at, b.at);
}

stats::Interval Inference::interval(std::size_t first, std::size_t second, double single) const
{
    const Place a = *places_[first];
    const Place b = *places_[second];
    const double difference = scores_[first].value - scores_[second].value;
    if (are_same(a, b))
        return {std::min(0.0, difference), std::max(0.0, difference)};
    if (const auto contributions = signs(a, b); !contributions.empty())
        return stats::sign_flip_interval(contributions, single);
    const stats::Spread spread = groups_[a.group].crossed.of_difference(a.at, b.at);
    const double half = stats::t_quantile(single, spread.freedom) * spread.standard_error;
    const double most = largest_difference(metric_);
    stats::Interval interval{std::max(-most, difference - half), std::min(most, difference + half)};
    if (least_p_of(groups_[a.group]) > single) // too few to tell anything, however alike they are
        interval = {std::min(0.0, interval.low), std::max(0.0, interval.high)};
    return interval;
}

std::vector<std::size_t> Inference::comparable_with(std::size_t row) const
{
    return places_[row] ? groups_[places_[row]->group].rows : std::vector<std::size_t>();
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
