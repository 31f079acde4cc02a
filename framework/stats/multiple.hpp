// multiple.hpp -- many p-values at once.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace senteval::stats {

/// P-values adjusted by Holm's step-down procedure (Holm 1979), in the order given: rejecting those
/// below alpha errs anywhere in the family with probability alpha at most. NaN is no comparison: it
/// stays NaN and does not count.
std::vector<double> holm(std::span<const double> p_values);

/// Of a p-value among the ascending ones of its family (it is one of them), by the step-up procedure of
/// Benjamini & Hochberg (1995): rejecting those below alpha, the expected share of errors among the
/// rejections is alpha at most.
double false_discovery_rate(std::span<const double> ascending, double p);

/// Level of the intervals of what is so rejected: the share of those that miss is `level` at most
/// (Benjamini & Yekutieli 2005). Where nothing is rejected, that of the smallest p-value's.
double selected_level(std::span<const double> ascending, double level);

/// Letters of homogeneous groups: two of `count` things share a letter exactly where they are not
/// `different` (count x count; Piepho 2004, insert and absorb). Letters follow the order of the things;
/// after z come aa, ab, ... in parentheses.
std::vector<std::string> group_letters(const std::vector<std::vector<bool>>& different);

} // namespace senteval::stats
