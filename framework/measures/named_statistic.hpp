// named_statistic.hpp -- the statistics that metrics are made of, by name.
#pragma once

#include "stats/statistic.hpp"

#include <span>
#include <string_view>

namespace senteval::measures {

/// A statistic of gold and predicted values.
struct NamedStatistic {
    std::string_view name;

    /// The term of an item, where the statistic is the mean of these; else nullptr.
    double (*of_item)(double gold, double predicted) = nullptr;

    /// The statistic of all items, where it is no mean.
    stats::Statistic (*of_all)(std::span<const double> gold,
                               std::span<const double> predicted) = nullptr;

    bool is_share = false; ///< of_item() is 0 or 1: Wilson's interval
    double least = 0;      ///< no value is less, where the observed one is not

    [[nodiscard]] stats::Statistic of(std::span<const double> gold,
                                      std::span<const double> predicted) const;
};

/// accuracy (same value), f1 (of value 1), macro f1, pearson, spearman, squared error, recall@1, recall@5 and
/// recall@10 (fewer than so many come before: ranks begin at 1 and have halves between equals), median
/// rank (rounded down), mean (of the predicted values); of labels 1 and 0 by a score (pairs.hpp) average precision, best
/// accuracy and best f1; of classes and clusters (clusters.hpp) v-measure. nullptr for other names.
const NamedStatistic* find_statistic(std::string_view name);

} // namespace senteval::measures
