// outcomes.hpp -- what an evaluation says of every test item.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace senteval::results {

/// One test item. Intervals, paired tests and slices are made from these, afterwards.
struct ItemOutcome {
    std::uint32_t item = 0;  ///< number in the task's own order of test items (LoadedTask::item)
    std::uint32_t group = 0; ///< index into Outcomes::groups
    double gold =
        0; ///< class index, gold score, the rank of a perfect answer (1); of values anything
           ///< that the data says of the item
    double prediction =
        0; ///< class index, predicted score or similarity, rank, or a value from 0 to 1 (best)
    double score = 0; ///< confidence: probability of the predicted class; else the prediction
};

/// Other predictions of the same items: those of a second model, say.
struct Series {
    std::string name;
    std::vector<double> predictions; ///< one per row
};

/// Rows are ordered by (group, item).
struct Outcomes {
    std::string kind; ///< "class", "score", "rank", "value" or "cluster": what the predictions are
    std::vector<std::string> classes; ///< names of the class indices; empty for scores
    std::vector<std::string> groups;  ///< subsets of an STS task, outer folds, or one empty name
    std::vector<ItemOutcome> rows;
    std::vector<Series> further;
};

} // namespace senteval::results
