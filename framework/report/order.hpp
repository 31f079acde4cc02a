// order.hpp -- the order in which a report lists its encoders.
#pragma once

#include "report/document.hpp"

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

std::vector<TaskGroup> groups_of(const Document& document);

/// Of the tasks from `first_task` on those that mean ranks are over.
std::vector<std::size_t>
ranked_tasks(const Document& document, std::size_t first_task, std::size_t end_task);

/// Mean of each ranked encoder's rank, 1 for the best, ties averaged, over those tasks; NaN for the
/// others, and where there is no such task.
std::vector<double>
mean_ranks(const Document& document, std::size_t first_task, std::size_t end_task);

/// Encoders by mean rank, then those without; on a single task by their scores, those last that were not
/// compared.
std::vector<std::size_t> by_mean_rank(const Document& document);

} // namespace senteval::report
