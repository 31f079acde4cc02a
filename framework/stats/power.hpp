// power.hpp -- the smallest difference that a comparison can show.
#pragma once

namespace senteval::stats {

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

/// Two-sided p-value of t, and the |t| of a p-value.
double t_p_value(double t, double freedom);
double t_quantile(double p, double freedom);

} // namespace senteval::stats
