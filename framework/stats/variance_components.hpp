// variance_components.hpp -- where the variance of a score over several seeds comes from.
#pragma once

#include <cstddef>
#include <span>

namespace senteval::stats {

/// The score of encoder seed i with classifier seed j on a test set of n items is taken as
///
///     mean + encoder_i + classifier_j + interaction_ij + test
///
/// with independent random effects. `test`, the luck of the draw of the test items, is the same for
/// all cells, since they share the items: it cannot be seen between them and is taken from their
/// sampling variances. A share is NaN where the design cannot tell it: with one encoder seed, only
/// `classifier` (then with the interaction in it) is known, and the other way round.
struct VarianceComponents {
    double mean = 0;
    double sd = 0;          ///< of the cells, with count - 1; NaN for one cell
    double encoder = 0;     ///< variance by the encoder's seed, at least 0
    double classifier = 0;  ///< variance by the classifier's seed, at least 0
    double interaction = 0; ///< what the two seeds do together, at least 0
    double test = 0; ///< mean sampling variance of a cell's score over test sets of this size

    /// Variance of one score with new seeds and new test items: the sum of the known components.
    [[nodiscard]] double total() const;
};

/// Balanced two-way random effects without replication, from the mean squares (Searle, Casella &
/// McCulloch 1992, section 4.2 and table 4.9; negative estimates become 0). `scores` and
/// `sampling_variances` hold encoder_seeds x classifier_seeds values, all classifier seeds of the
/// first encoder seed first; the sampling variance of an accuracy is p (1 - p) / n, of other metrics
/// the square of the bootstrap's standard error. Throws core::Error where the sizes do not fit.
VarianceComponents variance_components(std::span<const double> scores,
                                       std::span<const double> sampling_variances,
                                       std::size_t encoder_seeds);

} // namespace senteval::stats
