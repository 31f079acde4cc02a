// moderation.hpp -- variances of few degrees of freedom each, estimated together.
#pragma once

#include <span>

namespace senteval::stats {

/// What several variances have in common: as if each came with `freedom` more degrees of freedom, at
/// `variance`, so that freedom * variance / (a variance) is chi-squared. Infinite where they differ by no more
/// than chance.
struct CommonVariance {
    double variance = 0;
    double freedom = 0; ///< 0: nothing in common is known
};

/// Empirical Bayes for scaled chi-squared variances with an inverse chi-squared prior, fitted by the moments
/// of their logarithms (Smyth 2004, Statistical Applications in Genetics and Molecular Biology 3:3, section
/// 6.2). `freedom`: of each. With fewer than three variances above zero nothing is known.
CommonVariance common_variance(std::span<const double> variances, std::span<const double> freedom);

/// Variance of the true variances' logarithms: what their spread is more than chance makes it, at least 0.
/// NaN of fewer than two above zero.
double log_spread(std::span<const double> variances, std::span<const double> freedom);

/// What to expect of a further variance that was not measured. `spread`: of the logarithms between true
/// variances; how far their mean is off, as there are so few, is added. At least one has to be above zero.
CommonVariance expected_variance(std::span<const double> variances,
                                 std::span<const double> freedom,
                                 double spread);

} // namespace senteval::stats
