// labels.hpp -- measures of items with several labels each, and of translations that are found among others.
//
// A value for each item: the measure is their mean.
#pragma once

#include "stats/statistic.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace senteval::measures {

using stats::Column;

// Matrices have a row for each item and a column for each label, row by row; gold and predicted values are 0 or 1.
// All throw base::Error where they differ in size, are empty or have no whole rows.

/// 1 for a row with all labels right.
Column
exact_matches(std::span<const double> gold, std::span<const double> predicted, std::size_t labels);

/// Labels in both, of those in either; 1 where there are none. MTEB names its mean "hamming"; it is Jaccard's index.
Column
label_overlaps(std::span<const double> gold, std::span<const double> predicted, std::size_t labels);

/// Label ranking average precision (Schapire & Singer 2000): the mean over a row's gold labels of the share of gold ones
/// among the labels with its score or more; 1 for a row with no label or all. MTEB takes predictions of 0 and 1 as scores
/// where a classifier has no others.
Column
label_ranking(std::span<const double> gold, std::span<const double> scores, std::size_t labels);

/// Mean of the F1 of each label, that of a label which occurs nowhere being 0.
stats::Statistic
multilabel_f1(std::span<const double> gold, std::span<const double> predicted, std::size_t labels);

/// Row i looks for row i. found[i] is what it found, and n(i) how many found row i. Means over rows are scikit-learn's
/// weighted measures, each row being a class with one item.
struct BitextMeasures {
    Column accuracy;  ///< 1 where found[i] = i; the recall, too
    Column precision; ///< accuracy / n(i)
    Column f1;        ///< accuracy * 2 / (1 + n(i))
};

/// Throws base::Error for a number that is no row.
BitextMeasures bitext_measures(std::span<const std::uint32_t> found);

} // namespace senteval::measures
