// multiple.hpp -- many comparisons at once.
#pragma once

#include <span>
#include <vector>

namespace senteval::stats {

/// P-values adjusted by Holm's step-down procedure (Holm 1979), in the order given: rejecting those
/// below alpha errs anywhere in the family with probability alpha at most. NaN is no comparison: it
/// stays NaN and does not count.
std::vector<double> holm(std::span<const double> p_values);

} // namespace senteval::stats
