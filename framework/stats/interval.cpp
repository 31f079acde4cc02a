#include "stats/interval.hpp"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace senteval::stats {

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

Interval fisher(double correlation, double standard_error, double z)
{
    const double rest = 1 - correlation * correlation;
    if (!(rest > 0))
        return {correlation, correlation};
    const double middle = std::atanh(correlation);
    const double half = z * standard_error / rest;
    return {std::tanh(middle - half), std::tanh(middle + half)};
}

namespace {

/// Above it Student's t is the normal distribution to all digits that are shown.
constexpr double as_good_as_normal = 1e5;

/// Fifteen digits are enough: no long double inside.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using StudentsT = boost::math::students_t_distribution<double, Policy>;
using NoncentralT = boost::math::non_central_t_distribution<double, Policy>;
using ChiSquared = boost::math::chi_squared_distribution<double, Policy>;

/// A normal deviate is next to nothing beside such a shift; the series of the noncentral t ends where the shift's
/// square is no longer a number of terms.
constexpr double far = 1e3;

} // namespace

double t_p_value(double t, double freedom)
{
    constexpr double least = std::numeric_limits<double>::min(); // no p-value is 0
    if (!(freedom > 0))                                          // one item, or none, says nothing
        return std::numeric_limits<double>::quiet_NaN();
    if (std::isnan(t) || std::isinf(t))
        return std::isnan(t) ? t : least;
    if (freedom > as_good_as_normal)
        return std::max(least, 2 * boost::math::cdf(boost::math::complement(boost::math::normal(),
                                                                            std::abs(t))));
    return std::max(least,
                    2 * boost::math::cdf(boost::math::complement(StudentsT(freedom), std::abs(t))));
}

double t_quantile(double p, double freedom)
{
    if (!(freedom > 0))
        return std::numeric_limits<double>::quiet_NaN();
    if (freedom > as_good_as_normal)
        return boost::math::quantile(boost::math::complement(boost::math::normal(), p / 2));
    return boost::math::quantile(boost::math::complement(StudentsT(freedom), p / 2));
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
    if (shift > far)
        return boost::math::cdf(ChiSquared(freedom), freedom * std::pow(shift / limit, 2));
    const NoncentralT shifted(freedom, shift);
    return boost::math::cdf(boost::math::complement(shifted, limit)) +
           boost::math::cdf(shifted, -limit);
}

double detectable_difference(double standard_error, double freedom, Power power)
{
    if (std::isnan(standard_error) || std::isnan(freedom))
        return std::numeric_limits<double>::quiet_NaN();
    if (standard_error == 0)
        return 0;
    // Abramowitz & Stegun 1964, eq. 26.7.10, solved for the shift: right to a thousandth from 20 degrees of
    // freedom on, and where the search for fewer begins.
    const double limit = t_quantile(power.alpha, freedom);
    const double z = boost::math::quantile(boost::math::normal(), power.power);
    double shift =
        limit * (1 - 1 / (4 * freedom)) + z * std::sqrt(1 + limit * limit / (2 * freedom));
    if (freedom >= 20)
        return shift * standard_error;
    double before = 0.95 * shift;
    double missing_before = power_of(before, 1, freedom, power.alpha) - power.power;
    for (int step = 0; step < 12; ++step) { // secants
        const double missing = power_of(shift, 1, freedom, power.alpha) - power.power;
        if (std::abs(missing) < 1e-9 || missing == missing_before)
            break;
        const double next = shift - missing * (shift - before) / (missing - missing_before);
        before = shift;
        missing_before = missing;
        shift = next;
    }
    return shift * standard_error;
}

} // namespace senteval::stats
