#include "stats/power.hpp"

#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <cmath>
#include <limits>

namespace senteval::stats {
namespace {

/// Above it Student's t is the normal distribution to all digits that are shown.
constexpr double as_good_as_normal = 1e5;

} // namespace

double t_p_value(double t, double freedom)
{
    if (std::isnan(t) || std::isinf(t))
        return std::isnan(t) ? t : 0.0;
    if (freedom > as_good_as_normal)
        return 2 * boost::math::cdf(boost::math::complement(boost::math::normal(), std::abs(t)));
    return 2 *
           boost::math::cdf(boost::math::complement(boost::math::students_t(freedom), std::abs(t)));
}

double t_quantile(double p, double freedom)
{
    if (freedom > as_good_as_normal)
        return boost::math::quantile(boost::math::complement(boost::math::normal(), p / 2));
    return boost::math::quantile(boost::math::complement(boost::math::students_t(freedom), p / 2));
}

double power_of(double difference, double standard_error, double freedom, double alpha)
{
    if (!(standard_error > 0))
        return difference == 0 ? alpha : 1.0;
    const double shift = std::abs(difference) / standard_error;
    const double limit = t_quantile(alpha, freedom);
    if (freedom > as_good_as_normal) {
        const boost::math::normal shifted(shift, 1);
        return boost::math::cdf(boost::math::complement(shifted, limit)) +
               boost::math::cdf(shifted, -limit);
    }
    const boost::math::non_central_t shifted(freedom, shift);
    return boost::math::cdf(boost::math::complement(shifted, limit)) +
           boost::math::cdf(shifted, -limit);
}

double detectable_difference(double standard_error, double freedom, Power power)
{
    if (std::isnan(standard_error) || std::isnan(freedom))
        return std::numeric_limits<double>::quiet_NaN();
    if (standard_error == 0)
        return 0;
    double low = 0;
    double high = t_quantile(power.alpha, freedom);
    while (power_of(high, 1, freedom, power.alpha) < power.power)
        high *= 2;
    for (int step = 0; step < 40; ++step) {
        const double middle = (low + high) / 2;
        (power_of(middle, 1, freedom, power.alpha) < power.power ? low : high) = middle;
    }
    return high * standard_error;
}

} // namespace senteval::stats
