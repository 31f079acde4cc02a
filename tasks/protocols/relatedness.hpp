// relatedness.hpp -- a score between two sentences is learned from their embeddings.
#pragma once

#include "learn/relatedness.hpp"
#include "tasks/protocols/protocol.hpp"

namespace senteval::tasks {

/// Parts "train", "dev" and "test". Metrics devpearson, pearson, spearman, mse, ndev, ntest are the
/// original's, whose model was made for scores of 1 to 5. Under "range" stand the first four again
/// for the same model on the dataset's own scale: the same numbers where that is 1 to 5.
Protocol relatedness_protocol(const learn::ScoreRange& range);

/// Ridge regression to its minimum (learn/ridge.hpp) in place of the original's model. "dev" may be missing. It draws
/// nothing; `range` stands in its settings, and scores need no range.
Protocol ridge_relatedness(const learn::ScoreRange& range);

} // namespace senteval::tasks
