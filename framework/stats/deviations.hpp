// deviations.hpp -- fits of one encoder, and how they deviate from their mean.
#pragma once

#include "stats/products.hpp"

#include <cstdint>
#include <vector>

namespace senteval::stats {

/// A score on the test items, and how it depends on each of them.
struct Fit {
    std::uint64_t seed = 0;        ///< or number of the half of the training set, from 1
    double value = 0;              ///< the score
    std::vector<double> influence; ///< of the items, see Statistic::influence
    double answer = 0;             ///< what one is worth, see Statistic::answer
};

double mean_of(const std::vector<Fit>& fits);
Column mean_influence(const std::vector<Fit>& fits);
std::vector<std::uint64_t> keys_of(const std::vector<Fit>& fits);

/// Variance of the scores.
double between(const std::vector<Fit>& fits);

/// Deviations of the fits from their mean, times `scale`: of the scores, or of the influences.
std::vector<Keyed> score_deviations(const std::vector<Fit>& fits, double scale);
std::vector<Keyed>
influence_deviations(const std::vector<Fit>& fits, double scale, const Products& product);

/// Half the difference of each half of a training set and its complement, of those that are both there.
std::vector<Fit> complements_of(const std::vector<Fit>& halves);

} // namespace senteval::stats
