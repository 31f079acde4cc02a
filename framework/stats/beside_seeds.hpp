// beside_seeds.hpp -- what items and seeds do together, beside the direction in which seeds move the score.
#pragma once

#include "stats/products.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace senteval::stats {

/// One row's seeds: what each adds to the score, and to the influence of every item. Both are deviations from
/// the row's means.
struct SeedDeviations {
    std::vector<std::uint64_t> seeds;
    std::vector<double> scores;
    std::vector<Keyed>
        influences; ///< scaled: their squares sum to the variance of the mean influence
    Keyed mean;     ///< the mean influence
};

/// Variances of a difference of two rows.
struct ItemsAndSeeds {
    double items = 0;  ///< the spread of the mean influences
    double shared = 0; ///< what of it the seeds explain
};

/// Where seeds move scores and items along one direction, as a classifier that leans to one class does, the
/// items' spread grows with the square of the very difference that is tested: for equal encoders
/// items - shared is 0 on average, but large exactly where the difference is, and a test that adds it rejects
/// far too seldom. That direction, which the rows' own seeds show, is left out of both: of a difference between
/// the items of two encoders it holds one dimension of many.
class BesideSeeds {
public:
    BesideSeeds(std::vector<SeedDeviations> rows, const Products& product);

    /// Nothing where either row has fewer than three seeds.
    [[nodiscard]] std::optional<ItemsAndSeeds> of_difference(std::size_t a, std::size_t b) const;

    /// Between two seeds of the row: by how much the square of the difference of the influences rises with
    /// that of the scores' (least squares over all pairs of seeds). 0 where that cannot be told, at most 1.
    [[nodiscard]] double along_score(std::size_t row) const;

private:
    /// Coefficients of columns, by their numbers.
    using Vector = std::vector<std::pair<std::size_t, double>>;

    [[nodiscard]] double inner(const Vector& a, const Vector& b) const;
    void make_orthogonal(const Vector& first, Vector& second) const;

    std::vector<SeedDeviations> rows_;
    std::vector<std::size_t> first_; ///< column of each row's mean; its seeds follow
    std::size_t columns_ = 0;
    std::vector<double> gram_; ///< columns x columns
};

} // namespace senteval::stats
