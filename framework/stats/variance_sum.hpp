// variance_sum.hpp -- what independent estimates of variances are together.
#pragma once

#include <algorithm>
#include <limits>

namespace senteval::stats {

/// A sum of estimated variances, with the degrees of freedom that stand for it (Satterthwaite 1946, Biometrics
/// Bulletin 2), each as large as it is in half of the cases where that was estimated: one of few degrees of freedom
/// is more often too small, and then leaves the others', which are many, to speak for the sum. At most as many as
/// variances that are equal have together. (Three seeds against eight that vary a third as much, and items a third of that: equal
/// encoders are told apart in 6.4 % by Student's t so, in 7.2 by the estimates as they are, in 8.3 by Welch's 1947, eq. 28.)
class VarianceSum {
public:
    /// `freedom` 0: the value is known. `sign` -1: it is taken off.
    void add(double value, double freedom, double sign = 1)
    {
        total_ += sign * value;
        const double usual = freedom > 0 ? value / median_of(freedom) : value;
        usual_ += sign * usual;
        if (freedom > 0)
            squares_ += usual * usual / freedom;
        most_ += freedom > 0 || value == 0 ? freedom : std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] double total() const { return total_; }

    /// What the sum is where each estimate is as large as in half of the cases, and it is taken to be `total`.
    [[nodiscard]] double usual_of(double total) const
    {
        return std::max(0.0, usual_ + total - total_);
    }

    /// Where the sum is taken to be `total`.
    [[nodiscard]] double freedom_of(double total) const
    {
        const double usual = usual_of(total);
        return squares_ > 0 ? std::clamp(usual * usual / squares_, 1.0, std::max(1.0, most_))
                            : std::numeric_limits<double>::infinity();
    }

private:
    /// Of chi-squared over its degrees of freedom (Wilson & Hilferty 1931, to 4 %).
    [[nodiscard]] static double median_of(double freedom)
    {
        const double root = 1 - 2 / (9 * std::max(1.0, freedom));
        return root * root * root;
    }

    double total_ = 0;
    double usual_ = 0; ///< of estimates as large as in half of the cases
    double squares_ = 0;
    double most_ = 0;
};

/// Degrees of freedom that the difference of two means of equal variance will have by Satterthwaite's formula in half of
/// the cases: less than both have together, since the estimates, each of `freedom`, differ by chance.
double median_freedom_of_two(double freedom);

} // namespace senteval::stats
