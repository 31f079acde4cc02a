// result.hpp -- what a task gives back: its metrics, and the outcome of every test item.
#pragma once

#include "core/json.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace senteval::task {

/// One test item. Intervals, paired tests and slices are made from these, afterwards.
struct ItemOutcome {
    std::uint32_t item = 0;  ///< number in the task's own order of test items (LoadedTask::item)
    std::uint32_t group = 0; ///< index into Outcomes::groups
    double gold = 0;         ///< class index, or gold score
    double prediction = 0;   ///< class index, or predicted score or similarity
    double score = 0; ///< confidence: probability of the predicted class; else the prediction
};

/// Rows are ordered by (group, item).
struct Outcomes {
    std::string kind;                 ///< "class" or "score": what gold and prediction are
    std::vector<std::string> classes; ///< names of the class indices; empty for scores
    std::vector<std::string> groups;  ///< subsets of an STS task, outer folds, or one empty name
    std::vector<ItemOutcome> rows;
};

struct Result {
    core::Json metrics = core::Json::object(); ///< the original's keys and nesting
    core::Json details = core::Json::object(); ///< chosen strengths, scores by fold, epochs, ...
    Outcomes outcomes;
};

} // namespace senteval::task
