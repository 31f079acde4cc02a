// seed_variance.hpp -- how much the seed alone moves a score.
#pragma once

#include "stats/deviations.hpp"

#include <optional>
#include <vector>

namespace senteval::stats {

/// Variance of one fit's score by its seed, with the degrees of freedom of the estimate: freedom * total /
/// (the true one) is chi-squared.
struct SeedVariance {
    double total = 0; ///< between seeds on the same items
    /// What of it the spread of the items' influences does not hold; negative where that spread holds more.
    double beside_items = 0;
    double freedom = 0;
    /// By how much the items' influences of two fits differ more (their squares' sum) for each square of the
    /// difference of the scores.
    double along = 0;
    /// Known from many seeds of this very encoder: a few more of its own tell nothing else.
    bool of_same = false;
};

/// What is known of one encoder on one task.
struct Scored {
    std::vector<Fit> fits; ///< on the whole training set, one per seed; at least one
    /// On halves of it, with a seed each; fewer than fewest_halves count for nothing. Half 2 is the
    /// complement of half 1, 4 that of 3, ...
    std::vector<Fit> resampled;
    /// Of one fit. Where it is given it takes the place of what the fits show themselves, being too few.
    std::optional<SeedVariance> by_seed;
};

/// What is known of an encoder's variance by seed from others, once its own few fits are seen: by Bayes, with the
/// inverse chi-squared distribution that `known` describes before it. Nothing where its own vary by more than they would
/// in one case of a hundred, if that were true of it: it is none like them, and tells of itself alone.
std::optional<SeedVariance> updated(const SeedVariance& known, const SeedVariance& own);

/// Variance of the normal distribution of which two draws differ as far as the scores of two fits do in the
/// outermost 5 % of their pairs. It is the variance of the scores where these are normal, and larger where few of
/// them lie far from the rest.
double variance_by_pairs(const std::vector<Fit>& fits);

} // namespace senteval::stats
