// order.hpp -- how a report reads a comparison: groups of tasks, order of the rows, marks.
#pragma once

#include "report/html.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace senteval::report {

/// Rows of a plot at most: the best ones; all stand in the leaderboard.
inline constexpr std::size_t most_plotted = 40;

/// Consecutive tasks of one group.
struct TaskGroup {
    std::string name;
    std::size_t first = 0;
    std::size_t end = 0; ///< one past the last
};

std::vector<TaskGroup> groups_of(const compare::Comparison& comparison);

/// Of each row, 1 for the best; NaN for rows that are not ranked.
std::vector<double> mean_ranks(const compare::Comparison& comparison);

/// Rows by mean rank, on a single task by value; those without come last, in the order of the comparison.
std::vector<std::size_t> by_rank(const compare::Comparison& comparison);

/// Rows that have a value, or failed, on the task, from the best down.
std::vector<std::size_t> by_value(const compare::TaskComparison& task);

/// The row of the results; nullptr where they have none of that label.
const compare::Row* row_of(const Page& page, std::size_t row);

/// Runs of a row on a task; empty where there are none.
compare::Runs runs_of(const Page& page, std::size_t row, const std::string& task);

} // namespace senteval::report
