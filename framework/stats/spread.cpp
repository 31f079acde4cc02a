#include "stats/spread.hpp"

#include "stats/power.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace senteval::stats {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double limit_of(const Student& student, double level)
{
    return student.standard_error * t_quantile(level, student.freedom);
}

} // namespace

double Spread::p_value(double difference) const
{
    constexpr double limit = 0.05; // where both have the same
    const double p = t_p_value(difference / standard_error, freedom);
    return p > limit && middle
               ? std::max(t_p_value(difference / middle->standard_error, middle->freedom),
                          std::nextafter(limit, 1.0))
               : p;
}

double Spread::detectable(double level) const
{
    if (!repeated)
        return detectable_difference(standard_error, freedom, {.alpha = level});
    const double limit = limit_of({standard_error, freedom}, level);
    return limit +
           std::hypot(limit_of(repeated->wide, level) - limit,
                      t_quantile(2 * (1 - usual_power), infinite) * repeated->standard_error);
}

Spread wider(const Spread& a, const Spread& b)
{
    const double freedom = std::min(a.freedom, b.freedom);
    const auto usual_of = [&](const Spread& of) {
        return limit_of({of.standard_error, of.freedom}, 0.05);
    };
    const auto middle_of = [&](const Spread& of) {
        return limit_of(of.middle.value_or(Student{of.standard_error, of.freedom}), 0.5);
    };
    const double usual = std::max(usual_of(a), usual_of(b));
    Spread both = a;
    both.repeated.reset();
    both.freedom = freedom;
    both.standard_error = usual / t_quantile(0.05, freedom);
    both.middle = through(usual, std::max(middle_of(a), middle_of(b)));
    return both;
}

} // namespace senteval::stats
