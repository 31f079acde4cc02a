// correlation.hpp -- Pearson's and Spearman's correlation, and means over datasets.
#pragma once

#include <span>
#include <vector>

namespace senteval::stats {

/// A correlation and the two-sided p-value of the hypothesis that there is none (Student's t with
/// n - 2 degrees of freedom). Both NaN where either variable is constant or n < 2; for n = 2 the
/// p-value is 1.
struct Correlation {
    double r = 0;
    double p_value = 0;
};

/// x and y have the same length; anything else throws core::Error.
Correlation pearson(std::span<const double> x, std::span<const double> y);

/// Pearson's correlation of the ranks; ties get the mean of their ranks.
Correlation spearman(std::span<const double> x, std::span<const double> y);

/// Ranks 1 ... n, ties averaged.
std::vector<double> ranks(std::span<const double> values);

/// Sum of value * weight over the sum of weights.
double weighted_mean(std::span<const double> values, std::span<const double> weights);

} // namespace senteval::stats
