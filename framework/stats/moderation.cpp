#include "stats/moderation.hpp"

#include "stats/quantile.hpp"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace senteval::stats {
namespace {

/// Newton's iteration of Smyth 2004, appendix: 1 / trigamma is convex and nearly linear.
double inverse_trigamma(double x)
{
    double y = 0.5 + 1 / x;
    for (int step = 0; step < 50; ++step) {
        const double tri = boost::math::trigamma(y);
        const double change = tri * (1 - tri / x) / boost::math::polygamma(2, y);
        y += change;
        if (-change / y < 1e-10)
            break;
    }
    return y;
}

} // namespace

CommonVariance common_variance(std::span<const double> variances, std::span<const double> freedom)
{
    std::vector<double> logs;
    double expected = 0; // variance of the logarithms, were the variances equal
    for (std::size_t i = 0; i < variances.size(); ++i) {
        if (!(variances[i] > 0) || !(freedom[i] > 0))
            continue;
        const double half = freedom[i] / 2;
        logs.push_back(std::log(variances[i]) - boost::math::digamma(half) + std::log(half));
        expected += boost::math::trigamma(half);
    }
    constexpr std::size_t fewest = 3;
    if (logs.size() < fewest)
        return {};
    const auto summary = summarise(logs);
    const double more = summary.sd * summary.sd - expected / static_cast<double>(logs.size());
    if (!(more > 0))
        return {std::exp(summary.mean), std::numeric_limits<double>::infinity()};
    const double half = inverse_trigamma(more);
    return {std::exp(summary.mean + boost::math::digamma(half) - std::log(half)), 2 * half};
}

} // namespace senteval::stats
