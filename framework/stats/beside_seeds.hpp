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
    std::vector<double> scores;
    std::vector<Keyed>
        influences; ///< scaled: their squares sum to the variance of the mean influence
    Keyed mean;     ///< the mean influence

    [[nodiscard]] std::size_t seeds() const noexcept { return scores.size(); }
};

/// Variances of a difference of two rows.
struct ItemsAndSeeds {
    double items = 0;  ///< the spread of the mean influences
    double shared = 0; ///< what of it the seeds explain
};

/// Where seeds move scores and items along one direction, as a classifier that leans to one class does, or a
/// regression that stretches, the items' spread grows with the square of what they happened to do: for equal encoders
/// items - shared is 0 on average, but far from it in most cases, often large exactly where the difference is, and a
/// test that adds it rejects far too seldom. Of each of the two directions that the rows' own seeds show is therefore
/// taken off what seeds have done along it, given what is there: of a normal sum P of luck with variance L and of items
/// with variance N the square of the luck is on average L N / (L + N) + (L / (L + N))^2 P^2. Nearly all of it where
/// encoders are one (N = 0), and L whatever P is where few items make both the direction and the difference (without N up
/// to half of the items' own variance was taken off there, and 10 to 30 % of equal encoders were told apart).
/// N is what items of such squares have along the direction if their signs are independent.
/// Few seeds show a direction only roughly, and luck goes beside it by as much: what is taken off is made larger by that.
class BesideSeeds {
public:
    BesideSeeds(const std::vector<SeedDeviations>& rows, const Products& product);

    /// Nothing where either row has fewer than three seeds.
    [[nodiscard]] std::optional<ItemsAndSeeds> of_difference(std::size_t a, std::size_t b) const
    {
        return pairs_[a * rows_ + b];
    }

    /// Between two seeds of the row: by how much the square of the difference of the influences rises with
    /// that of the scores' (least squares over all pairs of seeds). 0 where that cannot be told, at most 1.
    [[nodiscard]] double along_score(std::size_t row) const { return along_[row]; }

private:
    std::size_t rows_;
    std::vector<std::optional<ItemsAndSeeds>> pairs_; ///< rows x rows
    std::vector<double> along_;
};

} // namespace senteval::stats
