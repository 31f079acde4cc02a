// across.hpp -- is one better over the datasets? Tests whose unit is the dataset (Demšar 2006).
#pragma once

#include "stats/bootstrap.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace senteval::stats {

/// Friedman's test that all rows have the same rank on average.
struct Friedman {
    std::vector<std::vector<double>> ranks; ///< [task][row]; 1 is the best, ties averaged
    std::vector<double> mean_ranks;         ///< of the rows
    double f = 0; ///< Iman & Davenport's statistic (Demšar 2006, section 3.2.2)
    /// Of f, with k - 1 and (k - 1) (N - 1) degrees of freedom; with fewer than 10 tasks among random orders.
    double p_value = 1;
    double critical_difference = 0; ///< of two mean ranks, by Nemenyi's test at level 5 %
};

/// `scores[task][row]`, more is better, nothing missing; at least two of each. Ties count by the
/// correction of Conover (1999, section 5.8).
Friedman friedman(std::span<const std::vector<double>> scores, const Resampling& options);

/// Wilcoxon's signed-rank test that the differences have median zero, two-sided: exact up to 25 that
/// are not zero, ties included, else the normal distribution with correction for continuity.
/// Differences of zero count half for either side (Demšar 2006, section 3.1.3).
double wilcoxon(std::span<const double> differences);

/// On how many of N datasets is there an effect, at least? The largest u for which the partial
/// conjunction "fewer than u" is rejected at `level` (Benjamini & Heller 2008; Dror et al. 2017, section
/// 4.1: Bonferroni's combination, which datasets that depend on each other allow). One-sided p-values;
/// NaN counts as 1.
std::size_t replicability(std::span<const double> p_values, double level = 0.05);

/// Posterior probabilities that the first is practically better, that the two are practically
/// equivalent, and that the second is better.
struct SignedRank {
    double first = 0;
    double equivalent = 0;
    double second = 0;
};

/// Bayesian signed-rank test (Benavoli, Corani, Demšar & Zaffalon 2017, section 4.2): a Dirichlet
/// process with prior strength 1/2 on no difference. Differences within `rope` of zero are none.
SignedRank
bayesian_signed_rank(std::span<const double> differences, double rope, const Resampling& options);

} // namespace senteval::stats
