// crossed.hpp -- how far scores, and differences of scores, may be off: test items x seeds x training
// sets, for every statistic that has influence values.
#pragma once

#include "stats/beside_seeds.hpp"
#include "stats/own_seeds.hpp"
#include "stats/products.hpp"
#include "stats/row_deviations.hpp"
#include "stats/seed_variance.hpp"
#include "stats/spread.hpp"
#include "stats/uncertain.hpp"
#include "stats/variance_sum.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace senteval::stats {

/// Scores of several encoders on the same items. The variance of a difference of means over seeds is
///
///     items + seeds / S - interaction / S
///
/// with items and seeds crossed: the spread of the items' influences holds one share of what items and
/// seeds do together, the spread between seeds another, so that one is taken off (README.md derives it); what
/// goes along with the score from seed to seed is taken out of both first (beside_seeds.hpp).
/// The share of items that have sources in common is that of Aronow, Samii & Assenova (2015, Political
/// Analysis 23, eq. 5). The variance by training sets comes from random halves of the one there is; over R of
/// them 1 / R is added, since a test that halves the data has n2 = n1 (Nadeau & Bengio 2003, section 5).
/// Bengio & Grandvalet (2004) show that no estimate of it from one data set is unbiased for every
/// distribution.
class Crossed {
public:
    /// `is_share`: whether scores are the share of the right ones among the items. Throws core::Error where the fits
    /// are not of the same items.
    Crossed(std::span<const Scored> rows,
            const Sources& sources,
            bool is_share,
            Population widest = Population::training);

    [[nodiscard]] std::size_t rows() const noexcept { return rows_.size(); }
    [[nodiscard]] double value(std::size_t row) const { return rows_[row].mean; }

    /// The widest that the row allows.
    [[nodiscard]] Population population(std::size_t row) const { return rows_[row].population; }

    /// Of value(a) - value(b): the narrower of both.
    [[nodiscard]] Population population(std::size_t a, std::size_t b) const
    {
        return population_in(a, b, Population::training);
    }

    /// Where it is a share of independent items, that of one classifier is p (1 - p) / n.
    [[nodiscard]] Spread of_score(std::size_t row) const;

    /// Of value(a) - value(b), in the narrower of the two rows' populations; training sets never make an
    /// interval narrower than seeds do.
    [[nodiscard]] Spread of_difference(std::size_t a, std::size_t b) const;

    /// The same where nothing but the items is thought of as drawn anew.
    [[nodiscard]] Spread by_items(std::size_t a, std::size_t b) const;

    /// What seeds or training sets alone make of it, nothing taken off for what they share with the items: for
    /// statistics whose share is not known.
    [[nodiscard]] Spread beside_items(std::size_t a, std::size_t b) const;

    /// How many items, or replicates of a statistic that is not smooth.
    [[nodiscard]] std::size_t items() const noexcept { return static_cast<std::size_t>(items_); }

    /// What one answer is worth to the row, root mean square over its fits; 0 where it is not made of answers.
    [[nodiscard]] double answer(std::size_t row) const
    {
        return std::sqrt(rows_[row].squared_answer);
    }

    /// Standard deviation of an item's share in value(a) - value(b), so that Cohen's d_z is the
    /// difference over it.
    [[nodiscard]] double item_deviation(std::size_t a, std::size_t b) const;

    /// Of a row with several seeds that tell it themselves.
    [[nodiscard]] std::optional<SeedVariance> by_seed(std::size_t row) const;

    /// Variance between training sets like the one there is, without what seeds add; of a row with enough halves.
    [[nodiscard]] std::optional<double> by_training_set(std::size_t row) const;

    /// Whether some rows have few seeds (fewer than five), and these are most of what most of their differences vary by:
    /// they then hang together less than the covariance says. Each of two to four seeds that speak for themselves goes by
    /// another guess (of 20 equal rows of three some one was told apart in 8 % by draws with it, and in 6 by
    /// Bonferroni's bound); and where a seed moves many items along with the score, what few seeds show of the items
    /// looks as if all rows lay on one line, although what seeds add is known (on STSBenchmark in 9 to 11 %, and in 2).
    [[nodiscard]] bool goes_by_few_seeds() const;

    /// Of the values, rows x rows: what differences have in common, where seeds move each row's fits alike. What few
    /// seeds show of each would make those that happen to vary most the only ones that count: of eight equal rows
    /// of three seeds some one was told apart in 6.3 %, in place of 5.
    [[nodiscard]] std::vector<double> covariance() const;

private:
    struct Row {
        double mean = 0;
        double squared_answer = 0; ///< of what one is worth
        std::size_t seeds = 0;
        std::vector<std::uint64_t> training;    ///< numbers of halves
        std::vector<std::uint64_t> complements; ///< and of pairs of them
        double between_seeds = 0;               ///< variance of the scores
        double seeds_freedom = 0;               ///< of that
        std::optional<SeedVariance> by_seed;    ///< of the mean
        Population population = Population::items;

        [[nodiscard]] bool tells_of_seeds() const { return seeds > 1 && !by_seed; }
    };
    /// Variance by one source, rows x rows.
    struct BySource {
        Gram scores;
        Gram with_items; ///< what of it the source does together with the items
    };
    /// What the variance of a value, or of a difference of two, is made of.
    struct Terms {
        std::vector<std::size_t> sides;
        Population population = Population::items;
        double fits = 0; ///< of the side with fewer
        double items = 0;
        double seeds = 0;
        double seeds_freedom = 0;
        double shared = 0; ///< by items and seeds together
        double least = 0;  ///< subtracting can leave next to nothing, which no estimate can mean

        [[nodiscard]] bool is_difference() const { return sides.size() > 1; }
        [[nodiscard]] std::optional<std::size_t> other() const
        {
            return is_difference() ? std::optional(sides.back()) : std::nullopt;
        }
    };
    struct Estimate {
        UncertainVariance variance;
        Population population = Population::items;
        std::optional<OwnSeeds> own = {}; ///< that alone make it

        [[nodiscard]] Spread spread() const;
    };

    [[nodiscard]] Row described(const Scored& scored, Population widest) const;
    [[nodiscard]] Population population_in(std::size_t a, std::size_t b, Population widest) const;
    [[nodiscard]] bool is_any_known(const Terms& terms) const;
    [[nodiscard]] Terms
    terms_of(std::size_t a, std::optional<std::size_t> b, Population widest) const;
    [[nodiscard]] double freedom_by_seed(const Terms& terms) const;
    [[nodiscard]] double freedom_by_training(const Terms& terms) const;
    /// Variance between training sets by that between halves and that of half the differences of complements, which
    /// both hold what seeds add (README.md, "Training sets").
    [[nodiscard]] static double between_sets(double halves, double complements)
    {
        return std::max(2 * complements - halves, halves / 3);
    }
    /// What is known of the seeds of rows that have few.
    void add_known(const Terms& terms, UncertainVariance& variance) const;
    [[nodiscard]] std::optional<OwnSeeds> own_seeds(const Terms& terms,
                                                    const VarianceSum& items) const;
    [[nodiscard]] VarianceSum without_shared(const Terms& terms, VarianceSum items) const;
    /// Given the sum that holds the variance by items.
    [[nodiscard]] UncertainVariance by_seeds(const Terms& terms, const VarianceSum& items) const;
    [[nodiscard]] UncertainVariance by_training(const Terms& terms, VarianceSum sum) const;

    /// Of the value a, or of the difference: in the widest population; and by seeds alone, where it is that of
    /// training sets and both are known.
    [[nodiscard]] std::vector<Estimate> estimates(std::size_t a,
                                                  std::optional<std::size_t> b) const;
    [[nodiscard]] Estimate
    estimate_in(std::size_t a, std::optional<std::size_t> b, Population widest) const;
    [[nodiscard]] Spread spread(std::size_t a, std::optional<std::size_t> b) const;
    [[nodiscard]] double typical(std::size_t a, std::optional<std::size_t> b) const;
    /// Variance of one fit by seed, of the rows that tell of it together.
    [[nodiscard]] double mean_between_seeds() const;
    /// What is left of the variance of two scores that are nearly one where it cancels out: no variance of
    /// their difference is known any better.
    [[nodiscard]] double rounding_of(std::size_t a, std::size_t b) const;

    std::vector<Row> rows_;
    double items_ = 0; ///< how many
    double items_freedom_ = 0;
    bool is_share_ = false;
    Gram by_item_;         ///< of means over seeds
    BySource seeds_;       ///< of means over seeds
    BySource training_;    ///< of a single fit
    BySource complements_; ///< half the difference of a half and its complement
    BesideSeeds beside_seeds_{{}, Products(0, {})};
};

} // namespace senteval::stats
