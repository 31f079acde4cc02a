// judge.hpp -- what a comparison is made of: a task's scores and verdicts, what holds over tasks, notes.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace senteval::compare {

/// The scores of all rows, without intervals.
TaskComparison scores_on(const Results& results, std::size_t task, const results::Metric& metric);

/// Adds intervals and verdicts (../stats/README.md). `baseline`: a row; nothing: the best of the task. Rows other
/// than `rows`, if there are any, are left without a value.
TaskComparison judge(const Results& results,
                     std::size_t task,
                     const results::Metric& metric,
                     std::optional<std::size_t> baseline,
                     const Options& options,
                     std::span<const std::size_t> rows = {});

/// The verdicts over the tasks, not on one of them.
AcrossTasks across_tasks(std::span<const TaskComparison> tasks, std::size_t rows);

/// How the results came together, data warnings, test items that were trained on, few known words, results that say
/// nothing, what encoders warned of; of a table with tests also different dimensions, items and small training sets.
std::vector<Note> notes_of(const Results& results, const Comparison& table);

} // namespace senteval::compare
