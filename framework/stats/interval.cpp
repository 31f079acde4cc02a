#include "stats/interval.hpp"

#include "core/error.hpp"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace senteval::stats {

double normal_quantile_two_sided(double level)
{
    if (!(level > 0 && level < 1))
        throw core::Error("a confidence level lies between 0 and 1, not at {}", level);
    return boost::math::quantile(boost::math::normal(), 0.5 + level / 2.0);
}

Interval wilson_of(double proportion, double variance, double n, double z)
{
    const double p = proportion;
    const double count = variance > 0 ? p * (1.0 - p) / variance : n;
    const double centre = p + z * z / (2.0 * count);
    const double spread = z * std::sqrt(p * (1.0 - p) / count + z * z / (4.0 * count * count));
    const double scale = 1.0 + z * z / count;
    // At the borders the formula gives 0 and 1 but for a rounding error.
    return {p <= 0 ? 0.0 : std::max(0.0, (centre - spread) / scale),
            p >= 1 ? 1.0 : std::min(1.0, (centre + spread) / scale)};
}

Interval wilson(std::size_t successes, std::size_t n, double level)
{
    const double z = normal_quantile_two_sided(level);
    if (n == 0)
        return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    const auto count = static_cast<double>(n);
    const double p = static_cast<double>(successes) / count;
    return wilson_of(p, p * (1 - p) / count, count, z);
}

Interval fisher(double correlation, double standard_error, double z)
{
    const double rest = 1 - correlation * correlation;
    if (!(rest > 0))
        return {correlation, correlation};
    const double middle = std::atanh(correlation);
    const double half = z * standard_error / rest;
    return {std::tanh(middle - half), std::tanh(middle + half)};
}

} // namespace senteval::stats
