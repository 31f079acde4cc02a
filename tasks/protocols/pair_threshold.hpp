// pair_threshold.hpp -- does a similarity tell pairs that belong together from the others? Nothing is trained.
#pragma once

#include "tasks/protocols/protocol.hpp"

namespace senteval::tasks {

/// Part "test": pairs with labels 0 and 1, of which 1 is positive. Metrics for each of cosine, dot, euclidean and manhattan
/// (distances negated): <similarity>_ap, and _accuracy and _f1 at the threshold that is best for them. Thresholds lie
/// between different values, and beyond all of them. `mteb` has MTEB's (2.20), which may part equal values and
/// are never beyond all, and takes the cosine of a zero vector as 1/2; here it is 0.
Protocol pair_threshold_protocol();

} // namespace senteval::tasks
