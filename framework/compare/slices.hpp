// slices.hpp -- scores on parts of a test set: where an encoder is good, and where it is not.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "core/json.hpp"
#include "report/document.hpp"
#include "stats/bootstrap.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace senteval::compare {

/// The test items of every task divided by
///
/// - length in tokens: of pairs the longer sentence, in the bins of Wieting et al. (2016), table 7;
///   single sentences, which are longer, in wider ones
/// - share of tokens that the encoder does not know, where it tells
/// - overlap of a pair: shared tokens / all tokens, as sets
/// - gold class: the score is then the share of the class that was found
///
/// Scores are by the metric of the comparison, of all items of the part together, whatever subset
/// they are of (as in that table): a part may hold few items of a subset. Intervals hold for new items, for
/// new seeds where there are several, and for new training sets where these were resampled; differences are
/// to the baseline, or to the row that is the best on the whole set, on the same items, and not adjusted for their number. Parts
/// of fewer than 30 items have neither; where something is trained and a row has one seed its differences have
/// no interval: the built-in table knows of whole sets. Nor have those that get no verdict on the whole set.
/// Each block's note says so.
/// A task appears once per way of dividing,
/// or several times where rows divide differently, as vocabularies do. Parts without items, and
/// divisions with one part, are left out.
///
/// A metric that is no function of the items has none. Bootstraps use at most 2000 resamples.
/// Of more than `most_rows` rows each block has those with the best values on the whole set.
std::vector<report::Slices>
slices_of(const Results& results,
          const Comparison& comparison,
          const stats::Resampling& resampling,
          std::size_t most_rows = std::numeric_limits<std::size_t>::max());

/// For a terminal of so many columns: a block per task and way of dividing, a line per row, or two.
std::string slices_to_terminal(const std::vector<report::Slices>& slices, std::size_t columns);

/// [{task, by, unit, reference, note, parts: [{part, items, scores: [{encoder, value, interval,
/// difference, difference_interval}]}]}]
core::Json slices_to_json(const std::vector<report::Slices>& slices);

} // namespace senteval::compare
