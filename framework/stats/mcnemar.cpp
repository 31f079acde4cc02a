#include "stats/mcnemar.hpp"

#include "core/error.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>

namespace senteval::stats {

McNemar mcnemar(std::size_t only_first, std::size_t only_second)
{
    McNemar result{only_first, only_second};
    const std::size_t n = only_first + only_second;
    if (n == 0)
        return result;
    const boost::math::binomial distribution(static_cast<double>(n), 0.5);
    const auto fewer = static_cast<double>(std::min(only_first, only_second));
    const double both_tails = 2.0 * boost::math::cdf(distribution, fewer);
    result.p_mid = only_first == only_second ? 1.0 - boost::math::pdf(distribution, fewer) / 2.0
                                             : both_tails - boost::math::pdf(distribution, fewer);
    return result;
}

McNemar mcnemar(std::span<const char> first_right, std::span<const char> second_right)
{
    if (first_right.size() != second_right.size())
        throw core::Error("a paired test needs the same items twice, not {} and {}",
                          first_right.size(), second_right.size());
    std::size_t only_first = 0;
    std::size_t only_second = 0;
    for (std::size_t i = 0; i < first_right.size(); ++i) {
        only_first += first_right[i] != 0 && second_right[i] == 0 ? 1U : 0U;
        only_second += first_right[i] == 0 && second_right[i] != 0 ? 1U : 0U;
    }
    return mcnemar(only_first, only_second);
}

} // namespace senteval::stats
