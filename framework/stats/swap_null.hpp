// swap_null.hpp -- the paired permutation test of statistics that are no sums over the items, such as medians.
#pragma once

#include <vector>

namespace senteval::stats {

/// How the difference of two scores is distributed where the two do not differ: as it comes out where the
/// predictions of items are swapped at random (Fisher 1935), and, beside that, by an error that is Student's. A
/// median takes few values: no standard error says how often it takes which.
class SwapNull {
public:
    /// `swapped`: differences under random swaps, at least one. `beside`: standard error of what seeds or training
    /// sets add, with its degrees of freedom; 0 where nothing does.
    SwapNull(std::vector<double> swapped, double beside, double freedom);

    /// Two-sided; of equal differences half counts (mid-p). Where fewer than ten draws are as large, it is that
    /// of Student's t, or theirs if that is larger, so that it has no floor.
    [[nodiscard]] double p_value(double difference) const;

    /// Differences larger than this have a p-value of no more than the level. It may itself have one.
    [[nodiscard]] double half_width(double level) const;

    [[nodiscard]] double standard_error() const noexcept { return standard_error_; }

private:
    [[nodiscard]] double drawn_p_value(double size) const;

    std::vector<double> sizes_; ///< ascending
    double standard_error_ = 0;
    double freedom_ = 0;
};

} // namespace senteval::stats
