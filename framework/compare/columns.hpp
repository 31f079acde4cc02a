// columns.hpp -- the columns of a table while it is being made.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace senteval::compare {

/// A table of the results' rows, without tasks.
Comparison rows_of(const Results& results);

/// Test items of a task that the encoder of these runs was trained on: "3 of 750"; empty: none, or not known.
std::string training_overlap(const Runs& runs);

/// Why the data of some of the runs may not be the published set: it is a sample, or was cut by --limit.
std::vector<std::string> doubts_of(const Runs& runs);

/// The task's column, with the score that `score_of_row` gives each row.
TaskComparison column_of(const Results& results,
                         std::size_t task,
                         const task::Metric& metric,
                         const std::function<Score(std::size_t row)>& score_of_row);

/// The row with the best value; nothing where no row has one. A row without items can be tested
/// against none: it is the best only where no row has items.
std::optional<std::size_t> best_of(const TaskComparison& task);

/// The best row, and those with the very same value.
void mark_best(TaskComparison& column);

/// Of each unit that several tasks have, where it means the same for all of them.
std::vector<Average> averages_of(const Comparison& table);

} // namespace senteval::compare
