// uncertain.hpp -- a difference part of whose variance is known as far as it was measured of others.
#pragma once

namespace senteval::stats {

/// Student's t, as a difference without a true one is distributed.
struct Student {
    double standard_error = 0;
    double freedom = 0;
};

/// Variance of a difference: W times `beside` more than `rest`, and at least W times `at_least`, with
/// freedom / W chi-squared of `freedom`. `rest_freedom`: of the estimate of the rest.
struct UncertainVariance {
    double rest = 0;
    double rest_freedom = 0;
    double beside = 0;
    double at_least = 0;
    double freedom = 0;

    /// With W = 1.
    [[nodiscard]] double typical() const;

    /// The t that is refused as often at levels of 5 % and .1 % as the difference is, which is normal given
    /// W: by the trapezoid rule over W's logarithm, no random numbers. Where all is uncertain it is t
    /// of `freedom`, where nothing is that of `rest_freedom`.
    [[nodiscard]] Student nearest() const;
};

} // namespace senteval::stats
