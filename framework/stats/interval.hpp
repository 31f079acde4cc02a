// interval.hpp -- a value and how far it may be off.
#pragma once

#include <cstddef>

namespace senteval::stats {

struct Interval {
    double low = 0;
    double high = 0;
};

/// Wilson's score interval of a proportion (Wilson 1927; Brown, Cai & DasGupta 2001, eq. 4). Never
/// leaves [0, 1] and keeps a width at 0 and at 1. Both ends NaN for n = 0.
Interval wilson(std::size_t successes, std::size_t n, double level = 0.95);

/// Of a proportion whose variance is `variance`, not p (1 - p) / n: Wilson's at the number of independent
/// items that would have that variance (Korn & Graubard 1998; Dean & Pagano 2015), with the quantile `z`.
/// `n`: of the items, where the proportion is 0 or 1.
Interval wilson_of(double proportion, double variance, double n, double z);

/// Fisher's interval of a correlation: symmetric about its inverse hyperbolic tangent.
Interval fisher(double correlation, double standard_error, double z);

/// Two-sided quantile of the standard normal distribution: 1.96 for 0.95.
double normal_quantile_two_sided(double level);

} // namespace senteval::stats
