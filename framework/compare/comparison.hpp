// comparison.hpp -- every row of a store on every task, judged: the one table that all formats are written from.
#pragma once

#include "base/nan.hpp"
#include "compare/results.hpp"
#include "results/metric.hpp"
#include "results/result.hpp"
#include "stats/across.hpp"
#include "stats/interval.hpp"

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace senteval::compare {

inline constexpr double level = 0.05;           ///< of every verdict
inline constexpr std::size_t fewest_seeds = 5;  ///< of a trained task, in both rows
inline constexpr std::size_t fewest_items = 30; ///< of a verdict
/// With fewer training items another training set of the size matters more than another seed.
inline constexpr std::size_t small_training_set = 2000;

struct Options {
    std::string baseline;    ///< label of a row; empty: each task's best
    std::string metric;      ///< instead of each task's headline
    bool items_only = false; ///< about the trained classifiers at hand: seeds have no part in it
    bool all_pairs = false;
    bool across_tasks = false;
    double margin = 0; ///< points that do not matter; 0: equivalence is not asked for
    unsigned threads = 1;
};

/// A row's relation to the reference: the baseline, else the best row that has a verdict.
enum class Verdict {
    missing,   ///< no value
    reference, ///< it is the reference
    same,      ///< the same predictions as the reference
    tied,      ///< not significantly different
    better,    ///< than the baseline
    worse,     ///< significantly
    unknown    ///< no verdict: Difference::open says why
};

/// Why a comparison has no verdict.
enum class Open {
    no,          ///< it has one
    caution,     ///< one of the rows has a caution
    few_seeds,   ///< a trained task, fewer than fewest_seeds in one of the rows
    few_items,   ///< fewer than fewest_items
    no_variance, ///< the difference does not vary, but is none
    not_smooth,  ///< the metric has no influence values (a median rank)
    no_items,    ///< only the score is known (imported)
    other_items, ///< the rows were tested on other items, folds or data
    alone        ///< no other row has a value
};

/// Paired: first - second, in the metric's unit.
struct Difference {
    double value = base::nan;
    double standard_error = base::nan;
    double freedom = base::nan;      ///< of Student's t
    double p = base::nan;            ///< two-sided, of this comparison alone
    double p_adjusted = base::nan;   ///< over the comparisons of the task
    double p_equivalent = base::nan; ///< that it is as large as the margin
    /// Excludes 0 where p_adjusted < level. Of few seeds: 95 % of this comparison alone, over items.
    stats::Interval interval{base::nan, base::nan};
    double detectable = base::nan; ///< found with power 80 % at the critical value of the marks
    Open open = Open::no;
    bool items_only = false; ///< the interval is over items alone

    [[nodiscard]] bool has_verdict() const { return open == Open::no; }
};

/// The metric of one row on one task.
struct Score {
    double value = base::nan;   ///< the mean over seeds
    double sd = base::nan;      ///< over seeds
    std::vector<double> values; ///< of the seeds
    stats::Interval interval{base::nan,
                             base::nan}; ///< 95 %; over items alone where there is one seed
    double standard_error = base::nan;
    std::size_t items = 0;
    std::size_t seeds = 0;
    std::size_t resampled = 0; ///< training sets
    bool deterministic =
        false; ///< something is trained that draws nothing: one seed is all there are
};

struct Entry {
    Score score;
    bool failed = false;                    ///< in the run that the table is of
    std::vector<std::string> data_warnings; ///< why its data may not be the published set ("*")
    std::vector<results::Caution> cautions; ///< why it has no verdict until something is mended
    std::string trained_on; ///< test items its encoder was trained on: "3 of 750"; empty: none
    Verdict verdict = Verdict::missing;
    Difference difference; ///< to the reference row; none where this is the reference
    std::string letters;   ///< groups of rows not significantly different, with all_pairs

    [[nodiscard]] bool has_value() const { return !std::isnan(score.value); }
    /// Whether it is the best, the same, or not significantly worse, without a baseline. Never true without a
    /// verdict; where TaskComparison::is_open formats mark nothing.
    [[nodiscard]] bool among_best() const
    {
        return verdict == Verdict::reference || verdict == Verdict::same ||
               verdict == Verdict::tied;
    }
};

struct Pair {
    std::size_t first = 0;
    std::size_t second = 0;
    Difference difference;
    Verdict verdict = Verdict::missing; ///< on the first, the second being the reference
};

struct TaskComparison {
    std::string task;
    std::string group; ///< transfer, similarity, probing, ...; see Results::know_tasks()
    results::Metric metric;
    bool trained = false;            ///< something with a seed is trained for it
    std::size_t training_items = 0;  ///< 0: not known, or nothing is trained
    bool in_folds = false;           ///< items are tested by the classifiers of their folds
    std::vector<Entry> entries = {}; ///< in the order of the rows
    std::optional<std::size_t> reference = {}; ///< row; nothing where no row has a verdict
    /// Row that differences are to: the reference; where there is none the baseline, or the best value.
    std::optional<std::size_t> compared_with = {};
    bool is_open = false;          ///< the best value has no verdict: nothing is bold or "="
    double half_width = base::nan; ///< of the interval of a difference to the reference: the median
    double detectable = base::nan; ///< the median
    std::vector<Pair> pairs = {};  ///< where all were asked for

    /// Whether the row is known to be the best or not significantly worse.
    [[nodiscard]] bool is_among_best(std::size_t row) const
    {
        return !is_open && entries[row].among_best();
    }
};

/// The mean over the tasks of a kind that are shown: transfer tasks in %, untrained similarity in r.
struct Average {
    std::string name; ///< "avg %", "avg r"
    int digits = 2;
    std::vector<std::string> tasks;
    std::vector<double> values; ///< of the rows; NaN where a task is missing
};

/// Trained tasks that have no verdict for want of seeds.
struct MissingSeeds {
    std::vector<std::string> tasks;
    std::vector<std::string> rows;
    std::size_t cells = 0;      ///< results that are missing
    double seconds = base::nan; ///< missing cells x mean seconds of such cells in the store
};

struct AcrossPair {
    std::size_t first = 0;     ///< row with the better mean rank
    std::size_t second = 0;    ///< row
    double p_value = 1;        ///< Wilcoxon's signed-rank test over tasks, by Holm over all pairs
    std::size_t better_on = 0; ///< tasks where the first's value is better
};

/// Rows ranked over the tasks of which each of them has a value, on the same test items.
struct AcrossTasks {
    std::vector<std::size_t> rows;          ///< by mean rank; empty: fewer than two rows or tasks
    std::vector<double> mean_ranks;         ///< of these rows
    std::vector<stats::Interval> intervals; ///< of these over other tasks
    std::vector<std::string> tasks;
    std::vector<std::string> left_out;      ///< tasks that some row lacks
    std::vector<std::vector<double>> ranks; ///< [task][position in `rows`]
    stats::Friedman friedman;
    std::vector<AcrossPair> pairs; ///< all, by first and second row
    /// Runs of rows, by position in `rows`, of which no pair is significantly different: [first, last].
    std::vector<std::pair<std::size_t, std::size_t>> groups;
};

struct Comparison {
    std::vector<std::string> rows; ///< labels; see Results::order_rows()
    std::vector<std::size_t> dimensions;
    std::vector<TaskComparison> tasks;
    std::vector<Average> averages;
    std::optional<AcrossTasks> across;
    std::optional<MissingSeeds> missing_seeds;
    std::vector<Note> notes;
    Options options;
    bool tested = false; ///< false: a table of values (run), nothing is bold
};

/// A cell of a run that failed.
struct Failure {
    std::string encoder;
    std::string task;
    results::Metric metric;
};

/// Margins are in points: 1 % of a share, 0.01 of a correlation; nothing of other units.
std::optional<double> points(const results::Metric& metric);

/// Values as they are, by the headline metrics or `metric` where a task has it: no intervals, no tests. Tasks stand in
/// the order of `order`, then the others.
Comparison tabulate(const Results& results,
                    std::span<const Failure> failures = {},
                    std::span<const std::string> order = {},
                    const std::string& metric = {});

/// Throws base::UsageError for an unknown baseline, or a metric by which no task can be compared. `--metric
/// spearman` finds each task's own Spearman; of several names, with commas between, each task takes the first it has.
Comparison compare(const Results& results, const Options& options);

/// The same with the rows in order, of the results, too: first who is best or tied on most tasks (better than the
/// baseline on most), then who has the higher mean over the tasks that all have. Rows of one encoder stay together, by
/// time.
Comparison compare_best_first(Results& results, const Options& options);

} // namespace senteval::compare
