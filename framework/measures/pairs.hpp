// pairs.hpp -- how well a score separates pairs that belong together from the others.
#pragma once

#include "stats/statistic.hpp"

#include <span>

namespace senteval::measures {

/// Places where pairs, sorted by score, may be cut into positive and negative ones.
enum class Cuts {
    /// Cuts that a threshold can make: between different scores, before the first pair and after the last.
    thresholds,
    /// MTEB's cuts (since 2.26): those between different scores alone. Where all are equal there is none, and the measures
    /// of the best cut are 0.
    mteb,
};

struct PairMeasures {
    /// Sum of precision * gain in recall over the different scores, descending; the same for both cuts. 0 without
    /// positives.
    double average_precision = 0;
    double accuracy = 0; ///< of the best cut
    double accuracy_threshold =
        0;         ///< pairs with this score or more count as positive; infinity: none does
    double f1 = 0; ///< of the first best cut, descending; 0 without positives
    double f1_threshold = 0;
    double precision = 0; ///< at the best F1
    double recall = 0;
};

/// Gold values are 1 (positive) or 0; a larger score means positive: negate distances. Throws base::Error for lists that
/// differ in length or are empty, for other gold values and for a score that is not a number.
PairMeasures pair_measures(std::span<const double> gold,
                           std::span<const double> scores,
                           Cuts cuts = Cuts::thresholds);

/// The average precision, and its derivative by the weight of each pair.
stats::Statistic average_precision_statistic(std::span<const double> gold,
                                             std::span<const double> scores);

} // namespace senteval::measures
