// multiple.hpp -- many p-values at once.
#pragma once

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

} // namespace senteval::stats
