// errors.hpp -- the test items that encoders got most wrong, with their sentences.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "report/document.hpp"
#include "task/task.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace senteval::compare {

/// The `count` worst errors of every row on every task of the comparison that has items (of several
/// seeds, the first's). Classes: wrong ones, the most confident first. Scores: by the distance
/// between standardised prediction and standardised gold score, as Pearson's correlation sees it.
/// Sentences come from the tasks' files below `data`; where these are missing, or not those that the
/// results were made from, `problems` says so and the task is left out.
std::vector<report::WorstErrors> worst_errors(const Results& results,
                                              const Comparison& comparison,
                                              const task::Tasks& tasks,
                                              const std::filesystem::path& data,
                                              std::size_t count,
                                              std::vector<std::string>& problems);

/// For a terminal of so many columns: a block per task and row.
std::string errors_to_terminal(const std::vector<report::WorstErrors>& errors, std::size_t columns);

/// [{task, encoder, items: [{first, second, gold, prediction}]}]
core::Json errors_to_json(const std::vector<report::WorstErrors>& errors);

} // namespace senteval::compare
