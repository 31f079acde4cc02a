// same_scores.hpp -- results that are one but for rounding, which no test can rank.
#pragma once

#include "compare/results.hpp"
#include "task/metric.hpp"

#include <cstddef>

namespace senteval::compare {

/// Whether the fits of both have, one by one, the same predictions of all items that the metric is made of,
/// as near as numbers can tell that were computed from vectors of floats: no further apart than 16 units in the
/// last place of the largest. Both have the same items; so many fits of the one as of the other, else they
/// are not the same.
bool have_same_scores(const Runs& first, const Runs& second, const task::Metric& metric);

/// Whether two means over `items` items in double precision may be one number.
bool is_rounding(double first, double second, std::size_t items);

/// The least p-value that so many items can give: that of the one pattern in which each of them speaks for the same
/// of two encoders, whose half counts. A test with a distribution behind it would go on to 0.
double least_p(std::size_t items);

} // namespace senteval::compare
