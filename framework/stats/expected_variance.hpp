// expected_variance.hpp -- what the variances of some encoders tell of that of one more.
#pragma once

#include <span>

namespace senteval::stats {

/// Of one more: freedom * variance / (the variance) is chi-squared of `freedom`, which is infinite where they differ
/// by no more than chance.
struct ExpectedVariance {
    double variance = 0;
    double freedom = 0;
};

/// Variance of the true variances' logarithms: what their spread is more than chance makes it, at least 0.
/// NaN of fewer than two above zero.
double log_spread(std::span<const double> variances, std::span<const double> freedom);

/// What to expect of a further variance that was not measured: scaled inverse chi-squared, with the mean and the spread
/// of the logarithms (Smyth 2004, Statistical Applications in Genetics and Molecular Biology 3:3, section 6.2).
/// `spread`: of the logarithms between true variances; how far their mean is off, as there are so few, is added. At
/// least one has to be above zero.
ExpectedVariance expected_variance(std::span<const double> variances,
                                   std::span<const double> freedom,
                                   double spread);

} // namespace senteval::stats
