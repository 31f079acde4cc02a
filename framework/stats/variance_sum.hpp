// variance_sum.hpp -- what independent estimates of variances are together.
#pragma once

#include <algorithm>
#include <limits>

namespace senteval::stats {

/// A sum of estimated variances, with the degrees of freedom that stand for it (Welch 1947, Biometrika 34,
/// eq. 28); at most as many as variances that are equal have together.
class VarianceSum {
public:
    /// `freedom` 0: the value is known. `sign` -1: it is taken off.
    void add(double value, double freedom, double sign = 1)
    {
        total_ += sign * value;
        if (freedom > 0)
            squares_ += value * value / (freedom + 2);
        most_ += freedom > 0 || value == 0 ? freedom : std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] double total() const { return total_; }

    /// Where the sum is taken to be `total`.
    [[nodiscard]] double freedom_of(double total) const
    {
        return squares_ > 0 ? std::clamp(total * total / squares_ - 2, 1.0, std::max(1.0, most_))
                            : std::numeric_limits<double>::infinity();
    }

private:
    double total_ = 0;
    double squares_ = 0;
    double most_ = 0;
};

/// Degrees of freedom that the difference of two means of equal variance will have by Welch's formula in half of
/// the cases: less than both have together, since the estimates, each of `freedom`, differ by chance.
double median_freedom_of_two(double freedom);

} // namespace senteval::stats
