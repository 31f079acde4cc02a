// swaps.hpp -- what single items contribute to the difference of two encoders.
#pragma once

#include "compare/results.hpp"
#include "run/items.hpp"
#include "stats/crossed.hpp"
#include "stats/swap_null.hpp"
#include "task/metric.hpp"

#include <cstdint>
#include <vector>

namespace senteval::compare {

/// By clusters of items that hang together (see sources_of): half of what the difference first - second loses
/// where the two predictions of these items alone are swapped, in the metric's unit. They sum to the
/// difference. Of correlations whose predictions had to be brought to one scale they are sqrt(n / (n - 2)) times
/// as far from their mean, since mean and deviation of the predictions come from the same n clusters: at 15 items
/// the test would refuse 7 % of the nulls. Influences say the same to the first order, and too much of an item that
/// lies far out: of correlations over 30 pairs they refuse 1 % of the nulls that the exact test by swaps refuses 5 % of.
/// Both have the same items; empty where some swap leaves the metric undefined.
std::vector<double>
swap_contributions(const run::Items& first, const run::Items& second, const task::Metric& metric);

/// The same of means over seeds: each seed of either side meets seeds of the other, all as often. Empty, too, where
/// the test by signs (stats/signs.hpp) has nothing to go by: of most_signs items and more, of fewer than
/// fewest_signs clusters, and where more than half of what varies hangs together.
std::vector<double>
swap_contributions(const Runs& first, const Runs& second, const task::Metric& metric);

/// Of a metric that is not smooth, such as a median: clusters of items have their predictions swapped at random,
/// alike in all seeds. `first` and `second`: cells of the same items; of one with more seeds than the other
/// the last are left out, so that the differences vary rather too much. `beside_items`: what comes on top.
stats::SwapNull swap_null(const Runs& first,
                          const Runs& second,
                          const task::Metric& metric,
                          const stats::Spread& beside_items,
                          std::uint64_t seed);

} // namespace senteval::compare
