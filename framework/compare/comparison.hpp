// comparison.hpp -- every row of a store against the best one, or a baseline, task by task.
#pragma once

#include "compare/across.hpp"
#include "compare/family.hpp"
#include "compare/inference.hpp"
#include "compare/results.hpp"
#include "stats/bootstrap.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::compare {

struct Options {
    std::string baseline; ///< label of a row; empty: each task's best
    std::string metric;   ///< instead of each task's headline; tasks without it are left out
    stats::Resampling resampling;
    Family family = Family::task;
    bool false_discovery_rate = false;
    bool all_pairs = false;
    bool across_tasks = false;
    double margin = 0; ///< points that do not matter; 0: equivalence is not asked for
    double rope = 1;   ///< the same, for the tests across tasks
    std::optional<stats::Population> population; ///< nothing: the widest that the results allow
};

/// How a row stands to the reference: the baseline, or else the best of those that it can be compared with; where it
/// can be with none, of the task.
enum class Verdict {
    missing,       ///< there is no value
    reference,     ///< it is the reference
    tied,          ///< not told from it at level 5 %, over the family
    better,        ///< than the baseline
    worse,         ///< told from the reference
    undecided,     ///< Difference::undecided says why
    not_comparable ///< cannot be tested against it: Difference::not_comparable says why
};

/// "reference", "tied", ..., "not comparable"; empty where there is no value.
std::string_view name_of(Verdict verdict);

/// One row on one task.
struct Entry {
    Score score;
    bool failed = false; ///< in the run that the table is of, or a result of it is damaged
    std::vector<std::string> doubts; ///< why its data may not be the published set
    std::string trained_on; ///< test items that its encoder was trained on: "3 of 750"; empty: none
    std::size_t against = 0; ///< the reference row; of an entry with a value, in a comparison
    Difference difference;   ///< to the reference row; none where this is the reference itself
    Difference
        to_best; ///< to the best that it can be compared with, the same where that is the reference
    double p_adjusted = core::nan;   ///< over the family; NaN where there is no test
    double p_equivalent = core::nan; ///< that the difference is as large as the margin
    bool is_best =
        false; ///< best value of the task, or of those that can be compared with each other
    bool among_best = false; ///< best, or not told from it; never without a verdict
    bool alone = false;      ///< no other row has a value to compare it with
    Verdict verdict = Verdict::missing;
    std::string letters; ///< of the homogeneous groups, where all pairs were asked for
};

/// Two rows of a task.
struct PairComparison {
    std::size_t first = 0;
    std::size_t second = 0;
    Difference difference;
    double p_adjusted = core::nan;
    double p_equivalent = core::nan;    ///< see Entry
    Verdict verdict = Verdict::missing; ///< on the first, the second being the reference
};

struct TaskComparison {
    std::string task;
    task::Metric metric;
    std::vector<Entry> entries = {}; ///< in the order of the rows
    double detectable = core::nan; ///< median over the comparisons of the task that can be decided
    stats::Interval detectable_range{core::nan,
                                     core::nan}; ///< the smallest and the largest of them
    std::string population = {}; ///< what the comparisons speak of, in words; empty: none
    std::string score_population =
        {}; ///< what intervals of scores do, where that is something else
    std::optional<std::size_t> best = {}; ///< row that others are compared with, or most of them
    /// Why there are sets of rows, each with a best of its own, that cannot be compared; empty: there are none.
    std::string why_sets = {};
    std::vector<PairComparison> pairs = {}; ///< where all were asked for
    std::vector<std::pair<std::size_t, std::size_t>> same_scores =
        {}; ///< rows, one but for rounding
};

/// The mean over tasks of one unit that has the same scale for all (Metric::has_common_unit).
struct Average {
    std::string unit;
    int digits = 2;
    std::vector<std::string> tasks;
    std::vector<double> values; ///< of the rows; NaN where a task is missing
    std::vector<bool> doubtful =
        {}; ///< of the rows: whether some of the data may not be the published set
};

/// The one table that runs, comparisons and reports are written from.
struct Comparison {
    std::vector<std::string> rows; ///< labels
    std::vector<std::size_t> dimensions;
    std::vector<TaskComparison> tasks;
    std::vector<Average> averages;     ///< of the units that several tasks have
    std::optional<AcrossTasks> across; ///< where it was asked for and there is something to say
    bool tested = false;               ///< whether intervals and tests were computed
    std::string baseline;              ///< empty: the best of each task
    std::string metric;                ///< that was asked for; empty: the headlines
    std::string family;                ///< what was done to p-values and intervals, in words
    bool max_t = false;                ///< by the max-T procedure
    double margin = 0;
    std::optional<stats::Population> population; ///< that was asked for
    std::vector<std::string> warnings; ///< what a reader has to know before believing the order
};

/// The task's name, with "*" where the data of some row may not be the published set.
std::string marked_name(const TaskComparison& task);

/// Whether some comparison of the task has a verdict.
bool is_decided(const TaskComparison& task);

/// Whether the entry has the best value of its task, and no other row has a verdict that makes it the best.
bool is_open(const Comparison& comparison, const Entry& entry);

/// Whether the entry is called the best: its value is, and where there were tests, by one of them; and whether it is
/// not told from the best. With a baseline nothing is, as nothing is claimed of the best.
bool is_called_best(const Comparison& comparison, const Entry& entry);
bool is_called_among_best(const Comparison& comparison, const Entry& entry);

/// A cell of a run that has no result.
struct Failure {
    std::string encoder;
    std::string task;
    task::Metric metric; ///< the task's headline
};

/// "a difference of 7.25 would be detected with power 80 %", or that none would; empty where no comparison of
/// the task could call a difference one.
std::string detectable_in_words(const TaskComparison& task);

/// "0.39 to 1.91"; empty where the comparisons do not differ, or there are none that can be decided.
std::string detectable_range(const TaskComparison& task);

/// What the comparisons speak of, or that nothing is claimed, and what intervals of scores are about; empty: there are
/// none.
std::string claim_of(const TaskComparison& task);

/// Margins are in points: 1 % of a share, 0.01 of a correlation; nothing of other units.
std::optional<double> points(const task::Metric& metric);

/// Appends those of `texts` that are not among `all`.
void add_distinct(std::span<const std::string> texts, std::vector<std::string>& all);

/// The headline metrics as they are: no intervals, no tests. Tasks stand in the order of `order`, then
/// the others.
Comparison tabulate(const Results& results,
                    std::span<const Failure> failures = {},
                    std::span<const std::string> order = {});

/// Throws core::UsageError for an unknown baseline, or a metric by which no task can be compared.
Comparison compare(const Results& results, const Options& options);

} // namespace senteval::compare
