#include "stats/power.hpp"

#include "stats/interval.hpp"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace senteval::stats {
namespace {

double z_alpha(const Power& power)
{
    return normal_quantile_two_sided(1.0 - power.alpha);
}

double z_power(const Power& power)
{
    return boost::math::quantile(boost::math::normal(), power.power);
}

} // namespace

double detectable_accuracy_difference(double discordant, std::size_t n, Power power)
{
    // sqrt(n) d = a sqrt(discordant) + b sqrt(discordant - d^2): the left side grows in d and the
    // right side falls, so bisection finds the one solution.
    const double root_n = std::sqrt(static_cast<double>(n));
    const auto missing = [&](double d) {
        return z_alpha(power) * std::sqrt(discordant) +
               z_power(power) * std::sqrt(std::max(0.0, discordant - d * d)) - root_n * d;
    };
    if (!(discordant > 0) || missing(discordant) > 0)
        return std::numeric_limits<double>::quiet_NaN();
    double low = 0;
    double high = discordant;
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2.0;
        (missing(middle) > 0 ? low : high) = middle;
    }
    return high;
}

double detectable_mean_difference(double sd, std::size_t n, Power power)
{
    return (z_alpha(power) + z_power(power)) * sd / std::sqrt(static_cast<double>(n));
}

} // namespace senteval::stats
