// interval.hpp -- a value and how far it may be off.
#pragma once

namespace senteval::stats {

struct Interval {
    double low = 0;
    double high = 0;
};

/// Wilson's score interval of a proportion (Wilson 1927; Brown, Cai & DasGupta 2001, eq. 4) whose variance is
/// `variance`, not p (1 - p) / n: at the number of independent items that would have that variance (Korn &
/// Graubard 1998; Dean & Pagano 2015), with the quantile `z`. It never leaves [0, 1] and keeps a width at 0
/// and at 1. `n`: of the items, where the proportion is 0 or 1.
Interval wilson_of(double proportion, double variance, double n, double z);

/// Fisher's interval of a correlation: symmetric about its inverse hyperbolic tangent.
Interval fisher(double correlation, double standard_error, double z);

} // namespace senteval::stats
