#include "compare/inference.hpp"

#include "compare/same_scores.hpp"
#include "compare/seed_table.hpp"
#include "compare/swaps.hpp"
#include "stats/named.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace senteval::compare {
namespace {

using stats::Population;

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
    order.reserve(rows.size());
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

/// What is known of a row's variance by seed beside its own seeds.
struct Elsewhere {
    stats::SeedVariance by_seed;
    std::string source; ///< as in the CSV
    std::string note;   ///< in a sentence
};

/// `known`: the table's measurement of the task, or nullptr. `others`: of rows that were trained alike. `norm`: of
/// the row's vectors. `has_own`: whether the row has several seeds; they can be tested by themselves, so that others of
/// the store count for them only beside the table: they may be many copies of one encoder.
std::optional<Elsewhere> known_elsewhere(const SeedMeasurement* known,
                                         const std::string& kind,
                                         double score,
                                         double norm,
                                         bool has_own,
                                         const std::vector<MeasuredEncoder>& others)
{
    if (const auto own = known == nullptr ? std::nullopt : known->of_encoder(kind, score, norm))
        return Elsewhere{*own, "built-in table: this encoder",
                         "the built-in table, which has the encoder"};
    if (known != nullptr && !known->tells_of_others(norm))
        known = nullptr;
    const bool is_worse = known != nullptr && !known->reaches(score, norm);
    if ((known == nullptr || is_worse) && has_own)
        return std::nullopt;
    const auto expected = seed_table().expected(known, others, norm, is_worse);
    if (!expected)
        return std::nullopt;
    if (known == nullptr)
        return Elsewhere{*expected, "other encoders here",
                         "the encoders here that have several seeds"};
    const bool is_alone = std::ranges::none_of(
        others, [&](const MeasuredEncoder& one) { return are_of_like_norm(one.norm, norm); });
    return Elsewhere{known->at_least_of_kind(kind, *expected),
                     is_alone ? "built-in table" : "built-in table and other encoders here",
                     fmt::format("the built-in table ({}){}", seed_table().basis(*known, norm),
                                 is_alone ? "" : " and the encoders here that have several seeds")};
}

} // namespace

std::size_t trained_on(const run::Cell& cell)
{
    const auto& document = cell.document;
    return document.contains("details") ? document.at("details").value("trained_on", std::size_t{0})
                                        : 0;
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
    training_.resize(rows);
    untested_.resize(rows);
    scores_.resize(rows);
    for (const std::size_t row : in_order(results, task)) {
        const Runs& runs = results.rows()[row].tasks[task];
        scores_[row] = score_of(runs, metric);
        if (std::isnan(scores_[row].value))
            continue;
        trained_ = trained_ || is_trained(*runs.front());
        training_[row].items = trained_on(*runs.front());
        add(results, row, resampling);
    }
    add_seed_variance(results);
    for (Group& group : groups_) {
        cross(group, widest.value_or(Population::training));
        compare_rows(group, resampling.seed);
    }
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
    untested_[row] = want_of_items(runs.front()->items, metric_, scores_[row].items);
    if (!untested_[row].empty())
        return;
    const Runs& halves = results.rows()[row].resampled[task_];
    for (const run::Cell* cell : halves)
        if (auto fit = fit_of(*cell, metric_, resampling);
            fit && same_items(*cell, *runs.front())) {
            fit->seed = resample_of(*cell);
            scored.resampled.push_back(std::move(*fit));
        }
    training_[row].few_halves =
        !scored.resampled.empty() && scored.resampled.size() < stats::fewest_halves;
    // Where many give but a constant, what halves differ by says nothing of what whole sets differ by.
    const auto idle = std::count_if(halves.begin(), halves.end(), [](const run::Cell* cell) {
        return has_learned_nothing(*cell);
    });
    if (4 * static_cast<std::size_t>(idle) > halves.size()) {
        scored.resampled.clear();
        training_[row].idle_halves = true;
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

bool Inference::has_few_halves() const noexcept
{
    return std::ranges::any_of(training_, &Training::few_halves);
}

/// To rows of few seeds: by the task's table, the rows here that are trained alike and have enough (or several,
/// where there is but one and no table: two seeds that happen to be close would make the variance of a further encoder
/// anything at all), and their own. The rows here do not count where none has a say in another's comparisons.
void Inference::add_seed_variance(const Results& results)
{
    if (!trained_)
        return;
    for (Group& group : groups_) {
        const auto cell_of = [&](std::size_t at) -> const run::Cell& {
            return *results.rows()[group.rows[at]].tasks[task_].front();
        };
        const stats::Sources sources = sources_of(cell_of(0).items, metric_);
        std::vector<std::optional<stats::SeedVariance>> own;
        for (const stats::Scored& scored : group.scored)
            own.push_back(stats::Crossed({&scored, 1}, sources, false).by_seed(0));
        const auto others_of = [&](std::size_t at, bool any) {
            std::vector<MeasuredEncoder> others;
            for (std::size_t other = 0; other < own.size() && learning_; ++other)
                if (own[other] && settings_of(cell_of(other)) == settings_of(cell_of(at)) &&
                    (any || group.scored[other].fits.size() >= enough_seeds))
                    others.push_back({{}, 0, *own[other], norm_of(cell_of(other))});
            return others;
        };
        for (std::size_t at = 0; at < group.scored.size(); ++at) {
            stats::Scored& scored = group.scored[at];
            Score& score = scores_[group.rows[at]];
            if (own[at]) {
                score.seeds_told = SeedsTold::by_own;
                score.seed_source = "own seeds";
            }
            if (scored.fits.size() >= enough_seeds)
                continue;
            const std::string settings = settings_of(cell_of(at));
            const auto* known = known_of(cell_of(at), settings, scored);
            const std::string kind = kind_of(cell_of(at).document.at("encoder"));
            const auto elsewhere =
                known_elsewhere(known, kind, score.value, norm_of(cell_of(at)), own[at].has_value(),
                                others_of(at, known == nullptr && !own[at]));
            if (!elsewhere)
                continue;
            scored.by_seed =
                own[at] ? stats::updated(elsewhere->by_seed, *own[at]) : elsewhere->by_seed;
            if (!scored.by_seed) {
                score.seed_source = "own seeds, which vary by more than others' do";
                continue;
            }
            const bool has_learned = own[at] && !elsewhere->by_seed.of_same;
            score.seeds_told = has_learned ? SeedsTold::by_own_and_others : SeedsTold::by_others;
            score.seed_source = (has_learned ? "own seeds and " : "") + elsewhere->source;
            note_source(elsewhere->note);
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
    group.crossed =
        stats::Crossed(group.scored, sources_of(cell.items, metric_), is_share(metric_), widest);
    for (std::size_t at = 0; at < group.rows.size(); ++at) {
        Score& score = scores_[group.rows[at]];
        const stats::Spread spread = group.crossed.of_score(at);
        score.resampled = group.scored[at].resampled.size();
        score.standard_error = spread.standard_error;
        score.population = spread.population;
        score.interval = interval_of(score.value, spread, metric_, score.items);
    }
    group.scored.clear(); // the influences are large, and no longer needed
}

/// Which are the same; what items contribute to the differences that are tested by signs; and how differences are
/// distributed that have no standard error to go by.
void Inference::compare_rows(Group& group, std::uint64_t seed)
{
    const auto runs_of = [&](std::size_t at) -> const Runs& {
        return results_->rows()[group.rows[at]].tasks[task_];
    };
    const bool smooth = statistic_of(runs_of(0).front()->items, metric_)->is_smooth();
    for (std::size_t a = 0; a < group.rows.size(); ++a)
        for (std::size_t b = a + 1; b < group.rows.size(); ++b)
            if (have_same_scores(runs_of(a), runs_of(b), metric_))
                group.same.insert({a, b});
            else if (!smooth)
                group.nulls.emplace(std::pair(a, b),
                                    swap_null(runs_of(a), runs_of(b), metric_,
                                              group.crossed.beside_items(a, b), seed));
            else if (group.crossed.population(a, b) == Population::items)
                group.swaps[{a, b}] = swap_contributions(runs_of(a), runs_of(b), metric_);
}

} // namespace senteval::compare
