// williams.hpp -- are two predictions equally correlated with the same gold scores?
#pragma once

#include <cstddef>

namespace senteval::stats {

struct WilliamsTest {
    double t = 0; ///< with n - 3 degrees of freedom; positive where the first correlation is higher
    double p_value = 1; ///< two-sided
};

/// Williams' test of two dependent correlations that share a variable (Williams 1959; Steiger 1980,
/// Psychological Bulletin 87, eq. 7). `first` and `second` are the correlations of the two
/// predictions with the gold scores, `between` that of the predictions with each other, over n items.
/// NaN where n < 4, a correlation is NaN, or the predictions are the same up to a linear map.
WilliamsTest williams(double first, double second, double between, std::size_t n);

} // namespace senteval::stats
