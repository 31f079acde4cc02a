// multiple.hpp -- many comparisons at once: Holm, the studentised range, letters of groups.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace senteval::stats {

/// P-values adjusted by Holm's step-down procedure (Holm 1979), in the order given: rejecting those below alpha errs
/// anywhere in the family with probability alpha at most.
std::vector<double> holm(std::span<const double> p_values);

/// The level of each comparison that errs nowhere with probability `level`: p < it exactly where the adjusted p is
/// below `level`. What is rejected leaves the others more.
std::vector<double> holm_levels(std::span<const double> p_values, double level);

/// Letters of homogeneous groups: two of `count` things share a letter exactly where they are not
/// `different` (count x count; Piepho 2004, insert and absorb). Letters follow the order of the things;
/// after z come aa, ab, ... in parentheses.
std::vector<std::string> group_letters(const std::vector<std::vector<bool>>& different);

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

/// The range of `count` values, made once.
const StudentisedRange& studentised_range(std::size_t count);

} // namespace senteval::stats
