// variance.hpp -- how far a score, or the difference of two, may be off: test items, seeds, training sets.
#pragma once

#include "stats/statistic.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::stats {

/// Sentences that items are made of: two for each item, the same twice where it has one. Items that share one are
/// not independent. Empty: none shares any.
struct Sources {
    std::vector<std::uint32_t> first = {};
    std::vector<std::uint32_t> second = {};
};

/// The score of one trained model, and its influences; see Statistic.
struct Fit {
    std::uint64_t half =
        0; ///< number of the half of the training set that it was trained on, from 1; 0: all of it
    double value = 0;
    Column influence = {};
};

/// The fits of one encoder on one task.
struct Fits {
    std::vector<Fit> seeds;
    std::vector<Fit> halves; ///< of the training set; 2 k is the complement of 2 k - 1
};

/// A variance and its components.
struct Variance {
    double items = 0; ///< without what they do together with the seeds
    double seeds = 0;
    double training = 0;
    double freedom = 0; ///< of the sum, by Satterthwaite

    [[nodiscard]] double total() const { return items + seeds + training; }
    [[nodiscard]] double standard_error() const { return std::sqrt(total()); }
};

/// The variances of several encoders' scores on the same items (README.md, "The formula").
class Variances {
public:
    /// `sources` has to outlive it. Throws base::Error where the fits are not of the same items.
    Variances(std::span<const Fits> rows, const Sources& sources);

    [[nodiscard]] std::size_t items() const noexcept { return items_; }

    /// The mean over the row's seeds.
    [[nodiscard]] double mean(std::size_t row) const { return rows_[row].score; }

    /// Variance of that mean. `is_share`: it is a share of the items, whose variance p (1 - p) / n is known.
    [[nodiscard]] Variance of_score(std::size_t row, bool is_share, bool items_only = false) const;

    /// Variance of mean(a) - mean(b).
    [[nodiscard]] Variance
    of_difference(std::size_t a, std::size_t b, bool items_only = false) const;

private:
    struct Row {
        std::size_t seeds = 0;
        double score = 0;       ///< the mean
        Column mean;            ///< of the influences
        double by_seed = 0;     ///< variance of the scores over their number
        double interaction = 0; ///< of items and seeds, in the mean
        std::vector<Fit> halves;
    };

    /// Variance of the mean over items of that influence.
    [[nodiscard]] double square(const Column& influence) const;
    [[nodiscard]] double by_training(const Row& a, const Row& b) const;

    std::size_t items_ = 0;
    const Sources* sources_ = nullptr; ///< where some are shared
    std::size_t sources_count_ = 0;
    std::vector<Row> rows_;
};

/// Resampled training sets that count: of fewer the spread between halves is a guess.
inline constexpr std::size_t fewest_halves = 10;

} // namespace senteval::stats
