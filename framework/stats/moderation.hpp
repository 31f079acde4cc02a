// moderation.hpp -- variances of few degrees of freedom each, estimated together.
#pragma once

#include <span>

namespace senteval::stats {

/// What several variances have in common: as if each came with `freedom` more degrees of freedom, at
/// `variance`. Infinite where they differ by no more than chance.
struct CommonVariance {
    double variance = 0;
    double freedom = 0; ///< 0: nothing in common is known
};

/// Empirical Bayes for scaled chi-squared variances with an inverse chi-squared prior, fitted by the moments
/// of their logarithms (Smyth 2004, Statistical Applications in Genetics and Molecular Biology 3:3, section
/// 6.2). `freedom`: of each. With fewer than three variances above zero nothing is known.
CommonVariance common_variance(std::span<const double> variances, std::span<const double> freedom);

} // namespace senteval::stats
