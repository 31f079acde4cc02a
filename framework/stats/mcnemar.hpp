// mcnemar.hpp -- do two classifiers err on the same items equally often?
#pragma once

#include <cstddef>
#include <span>

namespace senteval::stats {

/// McNemar's test on the items that exactly one of two classifiers gets right (McNemar 1947), with
/// the p-value from the binomial distribution itself (Fagerland, Lydersen & Laake 2013, BMC Medical
/// Research Methodology 13:91, eq. 5). Two-sided.
struct McNemar {
    std::size_t only_first = 0;  ///< right by the first alone
    std::size_t only_second = 0; ///< right by the second alone
    double p_mid = 1;            ///< mid-p: near the nominal level, the recommended one
};

McNemar mcnemar(std::size_t only_first, std::size_t only_second);

/// From whether each item was right, in the same order. Throws core::Error for unequal lengths.
McNemar mcnemar(std::span<const char> first_right, std::span<const char> second_right);

} // namespace senteval::stats
