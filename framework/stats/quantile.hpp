// quantile.hpp -- quantiles and summaries of a list of numbers.
#pragma once

#include <cstddef>
#include <span>

namespace senteval::stats {

/// Quantile of the values, in any order, interpolated between order statistics (Hyndman & Fan 1996,
/// definition 7: NumPy's and R's default). NaN for an empty list; throws core::Error where
/// probability is outside [0, 1].
double quantile(std::span<const double> values, double probability);

struct Summary {
    std::size_t n = 0;
    double mean = 0; ///< NaN for n = 0
    double sd = 0;   ///< with n - 1; NaN for n < 2
    double min = 0;
    double max = 0;
};

Summary summarise(std::span<const double> values);

} // namespace senteval::stats
