// across.hpp -- which encoder is better over the tasks, not on one of them.
#pragma once

#include "stats/across.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace senteval::compare {

struct TaskComparison;

struct AcrossPair {
    std::size_t first = 0;     ///< row with the better mean rank
    std::size_t second = 0;    ///< row
    double p_value = 1;        ///< Wilcoxon's signed-rank test over tasks, by Holm over all pairs
    std::size_t better_on = 0; ///< tasks where the first's value is better
};

/// Rows ranked over the tasks of which each of them has a value, on the same test items.
struct AcrossTasks {
    std::vector<std::size_t> rows;  ///< by mean rank; empty: fewer than two rows or tasks
    std::vector<double> mean_ranks; ///< of these rows
    std::vector<std::string> tasks;
    std::vector<std::string> left_out;      ///< tasks that some row lacks
    std::vector<std::vector<double>> ranks; ///< [task][position in `rows`]
    stats::Friedman friedman;
    std::vector<AcrossPair> pairs; ///< all, by first and second row
    /// Runs of rows, by position in `rows`, of which no pair is significantly different: [first, last].
    std::vector<std::pair<std::size_t, std::size_t>> groups;
};

AcrossTasks across_tasks(std::span<const TaskComparison> tasks, std::size_t rows);

} // namespace senteval::compare
