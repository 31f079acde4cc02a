// statistic.hpp -- metrics as functions of the test items: a value, and how much each item moves it.
#pragma once

#include "base/nan.hpp"
#include "stats/statistic.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace senteval::stats {

using Column = std::vector<double>; ///< a number for each test item

/// A metric of n test items. The influences sum to 0, and n / (n - 1) times their sum of squares is the jackknife's
/// variance of the value (Efron & Tibshirani 1993, ch. 11), where no items share a sentence.
struct Statistic {
    double value =
        base::nan;         ///< NaN where it is not defined, such as a correlation with a constant
    Column influence = {}; ///< empty where the metric is not smooth, as a median
};

/// Mean of the values: an accuracy, where they are 0 and 1. All of these throw base::Error where lists differ in
/// length or are empty.
Statistic mean_statistic(std::span<const double> values);

/// F1 of one class in [0, 1]; 0 where the class occurs nowhere (scikit-learn's rule).
Statistic
f1_statistic(std::span<const double> gold, std::span<const double> predicted, double positive = 1);

/// Mean of the F1 of all classes that are gold or predicted (scikit-learn's rule).
Statistic macro_f1_statistic(std::span<const double> gold, std::span<const double> predicted);

Statistic pearson_statistic(std::span<const double> x, std::span<const double> y);

/// Pearson's of the ranks, ties averaged. Influences are those of the ranks as they are: what an item does to the
/// ranks of others is left out.
Statistic spearman_statistic(std::span<const double> x, std::span<const double> y);

/// Median, rounded down: of a median between two ranks the original shows the first.
Statistic median_rank_statistic(std::span<const double> ranks);

/// Sum of weight * part over parts with items of their own, such as the subsets of an STS task. Items are those of the
/// parts, one after the other.
Statistic weighted_sum(std::span<const Statistic> parts, std::span<const double> weights);

/// Quantile of the values, in any order, interpolated between order statistics (Hyndman & Fan 1996,
/// definition 7: NumPy's and R's default). NaN for an empty list; throws base::Error where
/// probability is outside [0, 1].
double quantile(std::span<const double> values, double probability);

struct Summary {
    std::size_t n = 0;
    double mean = 0; ///< NaN for n = 0
    double sd = 0;   ///< with n - 1; NaN for n < 2
    double min = 0;
    double max = 0;
};

Summary summarise(std::span<const double> values);

} // namespace senteval::stats
