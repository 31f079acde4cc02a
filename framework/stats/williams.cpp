#include "stats/williams.hpp"

#include "core/nan.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>

namespace senteval::stats {

WilliamsTest williams(double first, double second, double between, std::size_t n)
{
    if (n < 4)
        return {core::nan, core::nan};
    const double free = static_cast<double>(n) - 3.0;
    const double determinant =
        1.0 - first * first - second * second - between * between + 2.0 * first * second * between;
    const double mean = (first + second) / 2.0;
    const double rest = 1.0 - between;
    const double scale = 2.0 * (free + 2.0) / free * determinant + mean * mean * rest * rest * rest;
    if (!(scale > 0) || !(rest > 0))
        return {core::nan, core::nan};
    const double t = (first - second) * std::sqrt((free + 2.0) * (1.0 + between) / scale);
    const boost::math::students_t distribution(free);
    return {t, 2.0 * boost::math::cdf(boost::math::complement(distribution, std::abs(t)))};
}

} // namespace senteval::stats
