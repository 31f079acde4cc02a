// range.hpp -- Tukey's studentised range: how far apart the largest and the smallest of several equal scores may lie.
#pragma once

#include <cstddef>
#include <vector>

namespace senteval::stats {

/// The range of `count` independent standard normal values over an independent estimate s of their standard deviation
/// with `freedom` degrees of freedom (s² chi-squared over freedom). Of pairs that each have a variance and freedom of
/// their own it gives the test of Games & Howell (1976): q = |t| sqrt 2.
class StudentisedRange {
public:
    explicit StudentisedRange(std::size_t count);

    /// P(range / s > q). Six digits of it are right from one degree of freedom on; freedom may be infinite.
    [[nodiscard]] double beyond(double q, double freedom) const;

    /// The q that is exceeded with that probability.
    [[nodiscard]] double quantile(double probability, double freedom) const;

private:
    std::vector<double> beyond_; ///< of the range itself, at exp(first + i * step)
};

/// The one of so many values, made once.
const StudentisedRange& studentised_range(std::size_t count);

} // namespace senteval::stats
