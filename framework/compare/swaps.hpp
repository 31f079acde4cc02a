// swaps.hpp -- what single items contribute to the difference of two encoders.
#pragma once

#include "run/items.hpp"
#include "task/metric.hpp"

#include <vector>

namespace senteval::compare {

/// By clusters of items that hang together (see sources_of): half of what the difference first - second loses
/// where the two predictions of these items alone are swapped, in the metric's unit. They sum to the
/// difference. Influences say the same to the first order, and too much of an item that lies far out:
/// of correlations over 30 pairs they refuse 1 % of the nulls that the exact test by swaps refuses 5 %
/// of. Both have the same items; empty where some swap leaves the metric undefined.
std::vector<double>
swap_contributions(const run::Items& first, const run::Items& second, const task::Metric& metric);

} // namespace senteval::compare
