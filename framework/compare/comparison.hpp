// comparison.hpp -- every row of a store against the best one, or a baseline, task by task.
#pragma once

#include "compare/results.hpp"
#include "compare/scoring.hpp"
#include "stats/bootstrap.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace senteval::compare {

struct Options {
    std::string baseline; ///< label of a row; empty: each task's best
    std::string metric;   ///< instead of each task's headline; tasks without it are left out
    stats::Resampling resampling;
};

/// One row on one task.
struct Entry {
    Score score;
    Difference difference; ///< to the reference row; no test where this is the reference itself
    double p_adjusted = 0; ///< Holm, over all comparisons of the table; NaN where there is no test
    bool is_best = false;  ///< highest value of the task
    bool tied = false;     ///< the best, or not told from it at level 5 % after Holm's correction
    bool is_reference = false;
};

struct TaskComparison {
    std::string task;
    std::string metric;
    std::vector<Entry> entries; ///< in the order of the rows
    double detectable = 0; ///< median over the comparisons of the task; NaN where there is none
};

struct Comparison {
    std::vector<std::string> rows; ///< labels
    std::vector<std::size_t> dimensions;
    std::vector<TaskComparison> tasks;
    std::string baseline;              ///< empty: the best of each task
    std::vector<std::string> warnings; ///< what a reader has to know before believing the order
};

/// Throws core::UsageError for an unknown baseline, or a metric that no task has.
Comparison compare(const Results& results, const Options& options);

} // namespace senteval::compare
