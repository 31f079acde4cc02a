// max_t.hpp -- many comparisons of one table at once, with what they have in common.
#pragma once

#include "stats/bootstrap.hpp"
#include "stats/range.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace senteval::stats {

/// Two rows of the table.
struct Pair {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
};

/// Each row with each later one.
std::vector<Pair> all_pairs(std::size_t rows);

/// The smallest p-value among the comparisons of a table, where nothing differs: the single-step max-T
/// procedure (Westfall & Young 1993, section 2.6; Hothorn, Bretz & Westfall 2008, section 3), by drawing
/// the scores from the normal distribution with their covariance. Over all pairs it is what a best row
/// that was chosen by the same data asks for: Tukey's range, and of Hsu's (1981) comparisons with the
/// best those that hold for any number of equal bests. Each comparison may have degrees of freedom of
/// its own: what is drawn is its p-value.
class SmallestP {
public:
    /// `covariance`: rows x rows; what of it is not positive definite is left out. No pairs: nothing is
    /// adjusted.
    SmallestP(std::span<const double> covariance,
              std::size_t rows,
              std::vector<Pair> pairs,
              const Resampling& options);

    /// Of comparisons of which it is not known how they hang together: Bonferroni's bound.
    explicit SmallestP(std::size_t comparisons) : comparisons_(static_cast<double>(comparisons)) {}

    /// Probability that some comparison has a p-value as small, in one of `tables` independent tables
    /// like this one (Šidák 1967). Never 0: beyond the draws it is Tukey's range over all pairs, and
    /// Bonferroni's bound over other families.
    [[nodiscard]] double adjusted(double p, std::size_t tables = 1) const;

    /// The p-value that is adjusted to `level`: the level of each single comparison.
    [[nodiscard]] double single(double level, std::size_t tables = 1) const;

private:
    std::vector<double> smallest_; ///< of each draw, ascending
    double comparisons_ = 0;
    std::optional<NormalRange> range_; ///< where they are all pairs
};

} // namespace senteval::stats
