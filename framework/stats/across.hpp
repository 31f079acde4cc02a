// across.hpp -- is one better over the datasets? Tests whose unit is the dataset (Demšar 2006).
#pragma once

#include "stats/interval.hpp"

#include <span>
#include <vector>

namespace senteval::stats {

/// Friedman's test that all rows have the same rank on average.
struct Friedman {
    std::vector<std::vector<double>> ranks; ///< [task][row]; 1 is the best, ties averaged
    std::vector<double> mean_ranks;         ///< of the rows
    double chi_squared = 0;                 ///< corrected for ties (Conover 1999, section 5.8)
    double p_value = 1; ///< of that, with k - 1 degrees of freedom: cautious of few tasks
};

/// `scores[task][row]`, more is better, nothing missing; at least two of each.
Friedman friedman(std::span<const std::vector<double>> scores);

/// The 95 % intervals of the rows' mean ranks over tasks like these: percentiles of those over tasks that are drawn with
/// replacement (Efron & Tibshirani 1993, chapter 13), always the same draws. Of few tasks they are too short.
std::vector<Interval> mean_rank_intervals(std::span<const std::vector<double>> ranks);

/// Wilcoxon's signed-rank test that the differences have median zero, two-sided: exact up to 25 that are not zero,
/// ties included, else the normal distribution with correction for continuity. Differences of zero count half for
/// either side (Demšar 2006, section 3.1.3).
double wilcoxon(std::span<const double> differences);

} // namespace senteval::stats
