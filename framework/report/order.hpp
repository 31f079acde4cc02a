// order.hpp -- the order in which a report lists its encoders.
#pragma once

#include "report/document.hpp"

#include <cstddef>
#include <vector>

namespace senteval::report {

/// Mean over tasks of each encoder's rank, 1 for the best, ties averaged; NaN where it has no result.
std::vector<double> mean_ranks(const Document& document);

/// Encoders by mean rank; those without a result last.
std::vector<std::size_t> by_mean_rank(const Document& document);

} // namespace senteval::report
