// comparison.hpp -- every row of a store against the best one, or a baseline, task by task.
#pragma once

#include "compare/results.hpp"
#include "compare/scoring.hpp"
#include "stats/bootstrap.hpp"

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::compare {

struct Options {
    std::string baseline; ///< label of a row; empty: each task's best
    std::string metric;   ///< instead of each task's headline; tasks without it are left out
    stats::Resampling resampling;
};

/// How a row stands to the reference: the baseline, or else the best of the task.
enum class Verdict {
    missing,       ///< there is no value
    reference,     ///< it is the reference
    tied,          ///< not told from it at level 5 % after Holm's correction
    better,        ///< than the baseline
    worse,         ///< told from the reference
    not_comparable ///< cannot be tested against it: Difference::not_comparable says why
};

/// "reference", "tied", ..., "not comparable"; empty where there is no value.
std::string_view name_of(Verdict verdict);

/// One row on one task.
struct Entry {
    Score score;
    bool failed = false;             ///< in the run that the table is of
    std::vector<std::string> doubts; ///< why its data may not be the published set
    Difference difference; ///< to the reference row; none where this is the reference itself
    /// Holm, over all comparisons of the table; NaN where there is no test.
    double p_adjusted = std::numeric_limits<double>::quiet_NaN();
    bool is_best = false; ///< best value of the task
    Verdict verdict = Verdict::missing;
};

struct TaskComparison {
    std::string task;
    task::Metric metric;
    std::vector<Entry> entries; ///< in the order of the rows
    double detectable = 0; ///< median over the comparisons of the task; NaN where there is none
};

/// The mean over tasks of one unit that has the same scale for all (Metric::has_common_unit).
struct Average {
    std::string unit;
    int digits = 2;
    std::vector<std::string> tasks;
    std::vector<double> values; ///< of the rows; NaN where a task is missing
};

/// The one table that runs, comparisons and reports are written from.
struct Comparison {
    std::vector<std::string> rows; ///< labels
    std::vector<std::size_t> dimensions;
    std::vector<TaskComparison> tasks;
    std::vector<Average> averages;     ///< of the units that several tasks have
    bool tested = false;               ///< whether intervals and tests were computed
    std::string baseline;              ///< empty: the best of each task
    std::vector<std::string> warnings; ///< what a reader has to know before believing the order
};

/// A cell of a run that has no result.
struct Failure {
    std::string encoder;
    std::string task;
    task::Metric metric; ///< the task's headline
};

/// The headline metrics as they are: no intervals, no tests. Tasks stand in the order of `order`, then
/// the others.
Comparison tabulate(const Results& results,
                    std::span<const Failure> failures = {},
                    std::span<const std::string> order = {});

/// Throws core::UsageError for an unknown baseline, or a metric by which no task can be compared.
Comparison compare(const Results& results, const Options& options);

} // namespace senteval::compare
