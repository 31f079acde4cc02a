// row_deviations.hpp -- by how much the fits of several encoders deviate from their means, by source of variance.
#pragma once

#include "stats/products.hpp"
#include "stats/seed_variance.hpp"

#include <vector>

namespace senteval::stats {

/// Of fewer the spread between halves is a guess: with two or three of 100 items 9 % of equal encoders were
/// told apart.
constexpr std::size_t fewest_halves = 5;

/// Whether its fits are all that is known of its seeds.
bool tells_of_seeds(const Scored& row);

/// By one source of variance, for each row: scaled so that the squares add up to a variance.
struct DeviationsBy {
    std::vector<std::vector<Keyed>> scores;
    std::vector<std::vector<Keyed>> influences; ///< what the source does together with the items
};

class RowDeviations {
public:
    /// `correction`: of the squares of influences, as n / (n - 1) is. `product` has to outlive it.
    RowDeviations(const Products& product, double correction);

    void add(const Scored& row);

    std::vector<std::vector<Keyed>> means; ///< influences of the mean over the seeds
    DeviationsBy seeds;       ///< of that mean; numbers are told from those of other rows
    DeviationsBy training;    ///< of one fit, by halves of the training set
    DeviationsBy complements; ///< the same, by half the difference of two halves

private:
    void add_mean(const Scored& row);
    void add_seeds(const Scored& row);
    void add_training(const Scored& row);
    void add_complements(const Scored& row);

    const Products* product_;
    double root_; ///< of the correction
};

} // namespace senteval::stats
