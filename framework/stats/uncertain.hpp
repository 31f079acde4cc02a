// uncertain.hpp -- a difference part of whose variance is known as far as it was measured of others.
#pragma once

#include "stats/variance_sum.hpp"

namespace senteval::stats {

/// Student's t, as a difference without a true one is distributed.
struct Student {
    double standard_error = 0;
    double freedom = 0;
};

/// The distribution of a difference: two t's that have the same limits at a level of 5 %.
struct Told {
    Student student; ///< p-values up to 5 %, and limits at these levels
    Student middle;  ///< p-values beyond
};

/// The t with these limits at levels of 5 % and 50 %.
Student through(double at_usual, double at_half);

/// Variance of a difference: W times `beside` more than `rest` (less, where that is negative), and at least W
/// times `at_least` and `own`, which W does not change, with freedom / W chi-squared of `freedom`. `rest_freedom`: of
/// the estimate of the rest.
///
/// `along`: the rest was estimated from the very items of the difference, and holds so much of the square of what
/// seeds, whose variance is W times `at_least`, have done to it. Where a difference c is observed that is,
/// on average, I S / V + (S / V)^2 c^2 (S of seeds, I of items, V = I + S; both normal), and S whatever is observed;
/// `beside` has taken off the latter. So the variance at which c is judged is the largest V with
///
///     V = rest + W beside - along (S^2 c^2 / V^2 - S^2 / V)
struct UncertainVariance {
    double rest = 0;
    double rest_freedom = 0;
    double beside = 0;
    double at_least = 0;
    double freedom = 0;
    double along = 0;
    double own = 0; ///< 0 where anything is `along`
    double tail_freedom =
        0; ///< of the rest for p below 5 %, where nothing is uncertain; 0: the same

    /// With W = 1, of a difference as large as its standard error.
    [[nodiscard]] double typical() const;

    /// The t's that are refused as often at levels of 5 % and .1 %, and of 50 %, as the difference is, which is
    /// normal given W: by the trapezoid rule over W's logarithm, no random numbers. Where all is uncertain
    /// they are t of `freedom`, where nothing is that of `rest_freedom`.
    [[nodiscard]] Told nearest() const;
};

/// Of which nothing is uncertain; at least `least`.
UncertainVariance rest_of(const VarianceSum& sum, double least);

} // namespace senteval::stats
