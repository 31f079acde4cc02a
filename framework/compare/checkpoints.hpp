// checkpoints.hpp -- rows that came one after the other, as the checkpoints of a training: is the new one better?
#pragma once

#include "base/nan.hpp"
#include "compare/comparison.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace senteval::compare {

/// The level of each comparison of look `look` (from 1) with the look - 1 before: .05 * 6 / (pi * look)^2, shared evenly.
/// The shares of all looks sum to .05, so all intervals hold at once with 95 %, whichever is looked at, and when a training
/// stops (Bonferroni over an endless list).
double level_of_look(std::size_t look);

/// A row, and its difference to the best before it, in the metric's unit.
struct Look {
    std::size_t row = 0;
    double value = base::nan;
    std::optional<std::size_t>
        best; ///< the row that was the best before; nothing at the first look
    double difference = base::nan;
    stats::Interval interval{base::nan,
                             base::nan}; ///< of level_of_look(); none where `open` says why
    Open open = Open::no;
};

/// `order`: rows with a value, the earliest first.
std::vector<Look> looks_of(const Results& results,
                           std::size_t task,
                           const results::Metric& metric,
                           std::span<const std::size_t> order);

/// What choosing the best of rows does to its value, by repeated halves of the test items: the best on one half has `inside`
/// there, on average, and `outside` on the other. This is of choosing with half of the items.
struct Flattery {
    double inside = base::nan;
    double outside = base::nan;
};

/// NaN where fewer than two of the rows have the same test items, or the metric is no function of them.
Flattery flattery_of(const Results& results,
                     std::size_t task,
                     const results::Metric& metric,
                     std::span<const std::size_t> rows);

} // namespace senteval::compare
