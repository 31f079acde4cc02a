// slices.hpp -- scores on parts of a test set: where an encoder is good, and where it is not.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "stats/interval.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace senteval::compare {

struct SliceScore {
    double value = base::nan;
    stats::Interval interval{base::nan, base::nan}; ///< 95 %, as of scores on the whole set
};

/// A task's test items divided in one way.
struct Slices {
    std::string task;
    std::string by; ///< "sentence length, tokens"
    results::Metric metric;
    bool by_class = false; ///< parts are gold classes, scores the share of the class that was found
    std::vector<std::string> parts;
    std::vector<std::size_t> items;              ///< of each part
    std::vector<std::string> rows;               ///< labels
    std::vector<std::vector<SliceScore>> scores; ///< [row][part]
    bool has_data_warning = false;
};

/// The test items of every task divided by
///
/// - length in tokens: of pairs the longer sentence, in the bins of Wieting et al. (2016), table 7;
///   single sentences, which are longer, in wider ones
/// - share of tokens that the encoder does not know, where it tells
/// - overlap of a pair: shared tokens / all tokens, as sets
/// - gold class
///
/// Scores are by the metric of the comparison, of all items of the part together, whatever subset they are of
/// (as in that table): a part may hold few items of a subset. Parts of fewer than `fewest_items` items have no
/// interval. A task appears once per way of dividing, or several times where rows divide differently, as
/// vocabularies do. Parts without items, and divisions with one part, are left out. A metric that is no function of
/// the items has none.
std::vector<Slices> slices_of(const Results& results, const Comparison& comparison);

} // namespace senteval::compare
