// multiple.hpp -- many comparisons at once.
#pragma once

#include <span>
#include <vector>

namespace senteval::stats {

/// P-values adjusted by Holm's step-down procedure (Holm 1979), in the order given: rejecting those
/// below alpha errs anywhere in the family with probability alpha at most. NaN is no comparison: it
/// stays NaN and does not count.
std::vector<double> holm(std::span<const double> p_values);

/// Which values cannot be told from the best (highest) one: the best itself, and those whose
/// (adjusted) p-value against it is not below alpha. A NaN value is never tied; a value with a NaN
/// p-value only where it equals the best.
std::vector<bool> tied_with_best(std::span<const double> values,
                                 std::span<const double> p_versus_best,
                                 double alpha = 0.05);

} // namespace senteval::stats
