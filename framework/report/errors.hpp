// errors.hpp -- the test items that encoders got most wrong, with their sentences.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "task/task.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace senteval::report {

/// The items an encoder got most wrong.
struct WorstErrors {
    struct Item {
        std::string first;
        std::string second; ///< empty for single sentences
        std::string gold;
        std::string prediction;
    };
    std::string task;
    std::string encoder;
    std::vector<Item> items;
    bool has_data_warning = false;
};

/// The `count` worst errors of every row on every task of the comparison that has items (of several
/// seeds, the first's). Classes: wrong ones, the most confident first. Scores: by the distance
/// between standardised prediction and standardised gold score, as Pearson's correlation sees it.
/// Sentences come from the tasks' files below `data`; where these are missing, or not those that the
/// results were made from, `problems` says so and the task is left out.
std::vector<WorstErrors> worst_errors(const compare::Results& results,
                                      const compare::Comparison& comparison,
                                      const task::Tasks& tasks,
                                      const std::filesystem::path& data,
                                      std::size_t count,
                                      std::vector<std::string>& problems);

/// For a terminal of so many columns: a block per task and row.
std::string errors_to_terminal(const std::vector<WorstErrors>& errors, std::size_t columns);

/// [{task, encoder, items: [{first, second, gold, prediction}]}]
base::Json errors_to_json(const std::vector<WorstErrors>& errors);

} // namespace senteval::report
