// summarization.hpp -- is a summary the better, the nearer it is to one that a person wrote?
#pragma once

#include "tasks/protocols/protocol.hpp"

namespace senteval::tasks {

/// Parts: "texts" (tested; its sentences are not embedded), "human" and "machine", whose labels are the numbers of
/// their texts; those of "machine" have scores. A machine summary counts by its similarity to the nearest human one.
/// Items: texts, each with the correlation of these similarities with the scores. Metrics: cosine_spearman, cosine_pearson,
/// dot_spearman, dot_pearson, means over the texts; as in MTEB (2.20) a text does not count where its scores, cosines or dot
/// products are all equal.
Protocol summarization_protocol();

} // namespace senteval::tasks
