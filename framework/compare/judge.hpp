// judge.hpp -- one task of a store: scores, differences to the reference, verdicts.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"

#include <cstddef>
#include <optional>

namespace senteval::compare {

/// The scores of all rows, without intervals.
TaskComparison scores_on(const Results& results, std::size_t task, const task::Metric& metric);

/// With intervals and verdicts (../stats/README.md). `baseline`: a row; nothing: the best of the task.
TaskComparison judge(const Results& results,
                     std::size_t task,
                     const task::Metric& metric,
                     std::optional<std::size_t> baseline,
                     const Options& options);

} // namespace senteval::compare
