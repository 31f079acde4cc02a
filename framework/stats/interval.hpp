// interval.hpp -- intervals, p-values of Student's t, and the differences that a test can find.
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

inline constexpr double usual_power = 0.80;

struct Power {
    double power = usual_power; ///< probability of finding the difference
    double alpha = 0.05;        ///< two-sided level at which the comparison is really judged
};

/// Probability that Student's t test of that level finds a true difference, in either direction, from
/// the standard error of the difference and the degrees of freedom of that (noncentral t; Johnson,
/// Kotz & Balakrishnan 1995, section 31.1). Infinite freedom: the normal distribution.
double power_of(double difference, double standard_error, double freedom, double alpha);

/// The true difference that is found with that probability; NaN where the standard error is.
double detectable_difference(double standard_error, double freedom, Power power = {});

/// Two-sided p-value of t, and the |t| of a p-value. NaN without degrees of freedom.
double t_p_value(double t, double freedom);
double t_quantile(double p, double freedom);

} // namespace senteval::stats
