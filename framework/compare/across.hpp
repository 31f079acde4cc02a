// across.hpp -- which encoder is better over the tasks, not on one of them.
#pragma once

#include "compare/family.hpp"
#include "core/json.hpp"
#include "stats/across.hpp"
#include "stats/bootstrap.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace senteval::compare {

struct TaskComparison;

/// An encoder and the one with the best mean rank.
struct AcrossPair {
    std::size_t first = 0; ///< row with the better mean rank
    std::size_t second = 0;
    double p_wilcoxon = 1;     ///< adjusted by Holm over all pairs
    double p_value = 1;        ///< judged: the same; of three rows and more at least Friedman's
    std::size_t better_on = 0; ///< tasks where the first's value is better
    /// At least so many, by their own adjusted tests (partial conjunction).
    std::size_t replicated_on = 0;
    /// Practically better, equivalent, worse; of pairs with the best row only.
    stats::SignedRank bayesian = {};
};

/// A row or a task that is not among those that are ranked.
struct LeftOut {
    std::string name;
    std::string reason;
    bool is_row = true;
    std::string against = {}; ///< with whom it cannot be compared; empty: the reason is its own
};

/// Encoders, and the tasks on each of which all of them can be compared with each other.
struct AcrossTasks {
    std::vector<std::size_t> rows;  ///< by mean rank
    std::vector<double> mean_ranks; ///< of these rows
    std::vector<std::string> tasks;
    std::vector<bool>
        doubtful; ///< of the tasks: whether the data of some row may not be the published set
    std::vector<std::string>
        without_verdict; ///< those of the tasks on which no two of the rows have one
    /// Of the rows: those of the other tasks on which it has none, whatever the others have.
    std::vector<std::vector<std::string>> row_without_verdict;
    std::vector<std::vector<double>> ranks; ///< [task][position in `rows`]
    std::vector<LeftOut> left_out;          ///< rows and tasks that are not in it
    bool in_points = true; ///< all metrics have points, so that some of them may not matter
    stats::Friedman friedman;
    std::vector<AcrossPair> pairs; ///< all, by first and second row
    double rope = 1;               ///< points

    /// Runs of rows, by position in `rows`, of which no pair is told apart: [first, last].
    std::vector<std::pair<std::size_t, std::size_t>> groups;
    /// Pairs that are not told apart either, and in no group: one between them is told from one of them.
    std::vector<std::pair<std::size_t, std::size_t>> without_bar;
};

/// Ranks the largest block of rows that can be compared with each other on each of its tasks. Nothing to
/// say with fewer than two encoders or tasks: no rows. `judged`: the comparisons of each task, one for each
/// set of rows that can be compared; empty where it has no value.
AcrossTasks across_tasks(std::span<const TaskComparison> tasks,
                         std::span<const std::span<const Judged>> judged,
                         std::span<const std::string> labels,
                         double rope,
                         const stats::Resampling& resampling);

} // namespace senteval::compare
