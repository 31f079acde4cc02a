#include "compare/judge.hpp"

#include "compare/scoring.hpp"
#include "stats/interval.hpp"
#include "stats/multiple.hpp"
#include "stats/statistic.hpp"
#include "stats/variance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace senteval::compare {
namespace {

constexpr double rounding = 1e-9; ///< of the difference of two means

double median(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return std::isnan(value); });
    return stats::quantile(values, 0.5);
}

/// Rows that were tested on the same items, and the variances of their scores.
struct Group {
    std::vector<std::size_t> rows;
    std::vector<stats::Fits> fits;
    stats::Sources sources;
    std::optional<stats::Variances> variances;
    std::size_t with_verdict = 0; ///< rows that have what a verdict needs
};

struct Place {
    std::size_t group = 0;
    std::size_t at = 0; ///< among the rows of the group
};

class Judge {
public:
    Judge(const Results& results,
          std::size_t task,
          const results::Metric& metric,
          std::optional<std::size_t> baseline,
          const Options& options,
          std::span<const std::size_t> rows)
        : results_(&results),
          task_(task),
          baseline_(baseline),
          options_(&options),
          column_(scores_on(results, task, metric)),
          places_(column_.entries.size()),
          wanting_(column_.entries.size(), Open::no)
    {
        for (std::size_t row = 0; row < column_.entries.size(); ++row) {
            if (!rows.empty() && std::ranges::find(rows, row) == rows.end())
                column_.entries[row] = {};
            if (column_.entries[row].has_value())
                add(row);
        }
        for (Group& group : groups_)
            prepare(group);
    }

    TaskComparison judged()
    {
        choose_reference();
        judge_rows();
        if (options_->all_pairs)
            judge_pairs();
        return std::move(column_);
    }

private:
    [[nodiscard]] const Runs& runs(std::size_t row) const
    {
        return results_->rows()[row].tasks[task_];
    }

    [[nodiscard]] double value(std::size_t row) const { return column_.entries[row].score.value; }

    /// Into the group that has its items.
    void add(std::size_t row)
    {
        const results::Cell& cell = *runs(row).front();
        stats::Fits fits = fits_of(results_->rows()[row], task_, column_.metric);
        if (fits.seeds.empty()) {
            const bool has_items = !cell.items.outcomes.rows.empty();
            wanting_[row] = has_items ? Open::not_smooth : Open::no_items;
            return;
        }
        auto group = std::ranges::find_if(groups_, [&](const Group& any) {
            return have_same_items(*runs(any.rows.front()).front(), cell);
        });
        if (group == groups_.end())
            group = groups_.insert(group, {{}, {}, sources_of(cell.items, column_.metric), {}, 0});
        places_[row] = {static_cast<std::size_t>(group - groups_.begin()), group->rows.size()};
        group->rows.push_back(row);
        group->fits.push_back(std::move(fits));
    }

    /// Prepares the group's variances, the intervals of its scores, and which rows can have a verdict.
    void prepare(Group& group)
    {
        group.variances.emplace(group.fits, group.sources);
        group.fits.clear();
        for (std::size_t at = 0; at < group.rows.size(); ++at) {
            const std::size_t row = group.rows[at];
            Score& score = column_.entries[row].score;
            const stats::Variance variance =
                group.variances->of_score(at, is_share(column_.metric), options_->items_only);
            score.interval = interval_of(score.value, variance, column_.metric, score.items);
            score.standard_error = variance.standard_error();
            score.resampled = results_->rows()[row].resampled[task_].size();
            const bool has_seeds = !column_.trained || options_->items_only ||
                                   score.deterministic || score.seeds >= fewest_seeds;
            wanting_[row] = !column_.entries[row].cautions.empty() ? Open::caution
                            : score.items < fewest_items           ? Open::few_items
                            : !has_seeds                           ? Open::few_seeds
                                                                   : Open::no;
            group.with_verdict += wanting_[row] == Open::no ? 1 : 0;
        }
    }

    /// Whether it has what a verdict needs, and somebody to be compared with.
    [[nodiscard]] bool can_be_judged(std::size_t row) const
    {
        return wanting_[row] == Open::no && places_[row] &&
               groups_[places_[row]->group].with_verdict > 1;
    }

    template <typename May>
    [[nodiscard]] std::optional<std::size_t> best_of(May may) const
    {
        std::optional<std::size_t> best;
        for (std::size_t row = 0; row < column_.entries.size(); ++row)
            if (column_.entries[row].has_value() && may(row) &&
                (!best || column_.metric.is_better(value(row), value(*best))))
                best = row;
        return best;
    }

    void choose_reference()
    {
        const auto best = best_of([](std::size_t) { return true; });
        const auto best_judged = best_of([&](std::size_t row) { return can_be_judged(row); });
        if (baseline_) {
            if (column_.entries[*baseline_].has_value())
                column_.compared_with = baseline_;
            if (column_.compared_with && can_be_judged(*baseline_))
                column_.reference = baseline_;
            return;
        }
        column_.reference = best_judged;
        column_.compared_with = best_judged ? best_judged : best;
        column_.is_open = !best_judged || value(*best) != value(*best_judged);
    }

    [[nodiscard]] Open why_open(std::size_t a, std::size_t b) const
    {
        for (const std::size_t row : {a, b})
            if (!places_[row])
                return wanting_[row];
        if (places_[a]->group != places_[b]->group)
            return Open::other_items;
        return wanting_[a] != Open::no ? wanting_[a] : wanting_[b];
    }

    /// The part of a difference that does not depend on other comparisons.
    [[nodiscard]] Difference difference(std::size_t a, std::size_t b) const
    {
        Difference difference;
        difference.value = value(a) - value(b);
        difference.open = why_open(a, b);
        if (!places_[a] || !places_[b] || places_[a]->group != places_[b]->group)
            return difference;
        difference.items_only = options_->items_only || difference.open == Open::few_seeds;
        const stats::Variances& variances = *groups_[places_[a]->group].variances;
        difference.value = variances.mean(places_[a]->at) - variances.mean(places_[b]->at);
        const stats::Variance variance =
            variances.of_difference(places_[a]->at, places_[b]->at, difference.items_only);
        difference.standard_error = variance.standard_error();
        difference.freedom = variance.freedom;
        if (!(variance.total() > 0)) {
            const bool is_none = std::abs(difference.value) < rounding;
            if (!is_none && difference.open == Open::no)
                difference.open = Open::no_variance;
            difference.p = is_none ? 1.0 : base::nan;
            return difference;
        }
        difference.p =
            stats::t_p_value(difference.value / difference.standard_error, difference.freedom);
        return difference;
    }

    [[nodiscard]] bool are_same(std::size_t a, std::size_t b) const
    {
        return places_[a] && places_[b] && places_[a]->group == places_[b]->group &&
               have_same_predictions(runs(a), runs(b), column_.metric);
    }

    /// All that a critical |t| gives.
    void add_limits(Difference& difference, double critical) const
    {
        const double half = critical * difference.standard_error;
        difference.interval = {difference.value - half, difference.value + half};
        if (difference.open == Open::no)
            difference.detectable = stats::detectable_difference(
                difference.standard_error, difference.freedom,
                {stats::usual_power, stats::t_p_value(critical, difference.freedom)});
    }

    /// |t| that the difference is away from the margin, towards 0; nothing where no margin was asked for.
    [[nodiscard]] std::optional<double> t_of_margin(const Difference& difference) const
    {
        const auto point = points(column_.metric);
        if (!(options_->margin > 0) || !point || difference.open != Open::no)
            return std::nullopt;
        const double inside = options_->margin * *point - std::abs(difference.value);
        if (!(difference.standard_error > 0))
            return inside > 0 ? std::numeric_limits<double>::infinity() : 0.0;
        return std::max(0.0, inside / difference.standard_error);
    }

    /// Adjusts by the studentised range over the rows of the group that can have a verdict.
    void adjust_by_range(Difference& difference, std::size_t row) const
    {
        const std::size_t rows = groups_[places_[row]->group].with_verdict;
        const double freedom = difference.freedom;
        const auto adjusted = [&](double t) {
            return rows > 2
                       ? stats::studentised_range(rows).beyond(t * std::numbers::sqrt2, freedom)
                       : stats::t_p_value(t, freedom);
        };
        if (difference.open != Open::no)
            return add_unadjusted(difference);
        if (const auto t = t_of_margin(difference))
            difference.p_equivalent = adjusted(*t);
        if (!(difference.standard_error > 0)) {
            difference.p_adjusted = difference.p;
            return add_limits(difference, 0);
        }
        difference.p_adjusted = adjusted(std::abs(difference.value) / difference.standard_error);
        add_limits(difference, rows > 2 ? stats::studentised_range(rows).quantile(level, freedom) /
                                              std::numbers::sqrt2
                                        : stats::t_quantile(level, freedom));
    }

    /// Adds the 95 % interval of this comparison alone where there is no verdict.
    void add_unadjusted(Difference& difference) const
    {
        if (difference.standard_error > 0)
            add_limits(difference, stats::t_quantile(level, difference.freedom));
    }

    /// Adjusts by Holm over the comparisons with the baseline.
    void adjust_by_holm(const std::vector<Difference*>& family) const
    {
        std::vector<double> p_values;
        for (const Difference* difference : family)
            p_values.push_back(difference->p);
        const auto adjusted = stats::holm(p_values);
        const auto levels = stats::holm_levels(p_values, level);
        for (std::size_t at = 0; at < family.size(); ++at) {
            Difference& difference = *family[at];
            difference.p_adjusted = adjusted[at];
            add_limits(difference, difference.standard_error > 0
                                       ? stats::t_quantile(levels[at], difference.freedom)
                                       : 0.0);
            if (const auto t = t_of_margin(difference))
                difference.p_equivalent =
                    std::min(1.0, stats::t_p_value(*t, difference.freedom) * level / levels[at]);
        }
    }

    [[nodiscard]] Verdict verdict_of(Difference& difference, bool is_same) const
    {
        if (is_same && difference.open != Open::caution) {
            difference.p = difference.p_adjusted = 1;
            return Verdict::same;
        }
        if (difference.open != Open::no)
            return Verdict::unknown;
        if (difference.p_adjusted >= level)
            return Verdict::tied;
        return column_.metric.is_better(difference.value, 0) ? Verdict::better : Verdict::worse;
    }

    void judge_rows()
    {
        std::vector<Difference*> family; // of the baseline
        std::vector<bool> same(column_.entries.size());
        for (std::size_t row = 0; row < column_.entries.size(); ++row) {
            Entry& entry = column_.entries[row];
            if (!entry.has_value() || row == column_.compared_with)
                continue;
            if (!column_.compared_with) {
                entry.difference.open = Open::alone; // the baseline has no value
                continue;
            }
            entry.difference = difference(row, *column_.compared_with);
            same[row] = are_same(row, *column_.compared_with);
            if (baseline_ && entry.difference.open == Open::no)
                family.push_back(&entry.difference);
            else if (places_[row])
                adjust_by_range(entry.difference, row);
        }
        adjust_by_holm(family);
        std::vector<double> half_widths;
        std::vector<double> detectable;
        for (std::size_t row = 0; row < column_.entries.size(); ++row) {
            Entry& entry = column_.entries[row];
            if (!entry.has_value())
                continue;
            if (row == column_.reference) {
                entry.verdict = Verdict::reference;
                continue;
            }
            if (row == column_.compared_with)
                entry.difference.open = open_alone(row);
            entry.verdict = verdict_of(entry.difference, same[row]);
            if (entry.difference.open != Open::no || same[row])
                continue;
            half_widths.push_back((entry.difference.interval.high - entry.difference.interval.low) /
                                  2);
            detectable.push_back(entry.difference.detectable);
        }
        column_.half_width = median(half_widths);
        column_.detectable = median(detectable);
    }

    /// Why the row that others are compared with has no verdict.
    [[nodiscard]] Open open_alone(std::size_t row) const
    {
        const auto others = std::ranges::count_if(
            column_.entries, [](const Entry& entry) { return entry.has_value(); });
        if (others < 2)
            return Open::alone;
        return wanting_[row] != Open::no ? wanting_[row] : Open::alone;
    }

    void judge_pairs()
    {
        std::vector<std::size_t> rows; // that can have a verdict, the best first
        for (std::size_t row = 0; row < column_.entries.size(); ++row)
            if (can_be_judged(row))
                rows.push_back(row);
        std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
            return column_.metric.is_better(value(a), value(b));
        });
        std::vector<std::vector<bool>> different(rows.size(), std::vector<bool>(rows.size()));
        for (std::size_t a = 0; a < rows.size(); ++a)
            for (std::size_t b = a + 1; b < rows.size(); ++b) {
                Pair pair{rows[a], rows[b], difference(rows[a], rows[b])};
                if (pair.difference.open != Open::other_items)
                    adjust_by_range(pair.difference, rows[a]);
                pair.verdict = verdict_of(pair.difference, are_same(rows[a], rows[b]));
                different[a][b] = pair.verdict == Verdict::better ||
                                  pair.verdict == Verdict::worse ||
                                  pair.difference.open == Open::other_items;
                column_.pairs.push_back(std::move(pair));
            }
        if (rows.empty())
            return;
        const auto letters = stats::group_letters(different);
        for (std::size_t at = 0; at < rows.size(); ++at)
            column_.entries[rows[at]].letters = letters[at];
    }

    const Results* results_;
    std::size_t task_;
    std::optional<std::size_t> baseline_;
    const Options* options_;
    TaskComparison column_;
    std::vector<Group> groups_;
    std::vector<std::optional<Place>> places_; ///< of the rows
    std::vector<Open> wanting_;                ///< what a row lacks for a verdict
};

} // namespace

TaskComparison scores_on(const Results& results, std::size_t task, const results::Metric& metric)
{
    TaskComparison column{results.tasks()[task], results.known(results.tasks()[task]).group,
                          metric};
    for (const Row& row : results.rows()) {
        const Runs& runs = row.tasks[task];
        Entry& entry = column.entries.emplace_back();
        entry.score = score_of(runs, metric);
        entry.data_warnings = data_warnings_of(runs);
        entry.trained_on = training_overlap(runs);
        entry.cautions = cautions_of(runs);
        if (runs.empty())
            continue;
        const results::Protocol& protocol = runs.front()->result.protocol;
        entry.score.deterministic = protocol.deterministic;
        column.in_folds = protocol.tests_in_folds();
        column.trained = column.trained || protocol.seed().has_value();
        column.training_items = std::max(column.training_items, runs.front()->result.trained_on());
    }
    return column;
}

TaskComparison judge(const Results& results,
                     std::size_t task,
                     const results::Metric& metric,
                     std::optional<std::size_t> baseline,
                     const Options& options,
                     std::span<const std::size_t> rows)
{
    return Judge(results, task, metric, baseline, options, rows).judged();
}

} // namespace senteval::compare
