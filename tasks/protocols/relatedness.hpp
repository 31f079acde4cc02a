// relatedness.hpp -- a score between two sentences is learned from their embeddings.
#pragma once

#include "learn/relatedness.hpp"
#include "tasks/protocols/protocol.hpp"

namespace senteval::tasks {

/// Parts "train", "dev" and "test". Metrics devpearson, pearson, spearman, mse, ndev, ntest are the
/// original's, whose model was made for scores of 1 to 5. Under "range" stand the first four again
/// for the same model on the dataset's own scale: the same numbers where that is 1 to 5.
Protocol relatedness_protocol(const learn::ScoreRange& range);

/// Leaves the original's model out: the metrics are those of the dataset's own scale.
Protocol relatedness_on_scale(const learn::ScoreRange& range);

} // namespace senteval::tasks
