#include "stats/counter_stream.hpp"

#include <cmath>
#include <numbers>

namespace senteval::stats {
namespace {

// Replacements of libm's functions, whose last bit depends on the processor. These are right to about an ulp.

/// Natural logarithm of x in (0, 1]: of 2^e m it is e ln 2 + 2 artanh((m - 1) / (m + 1)), as a series.
double logarithm(double x)
{
    int exponent = 0;
    double mantissa = std::frexp(x, &exponent); // in [1/2, 1)
    if (mantissa < std::numbers::sqrt2 / 2) {
        mantissa *= 2;
        --exponent;
    }
    const double ratio = (mantissa - 1) / (mantissa + 1);
    const double square = ratio * ratio; // at most 0.03
    double series = 0;
    for (int term = 23; term >= 1; term -= 2)
        series = series * square + 1.0 / term;
    return exponent * std::numbers::ln2 + 2 * ratio * series;
}

/// 1 - x / (n (n - 1)) (1 - x / ((n - 2) (n - 3)) (...)), down to n = last: the series of sine and
/// cosine without their first factor.
double alternating_series(double x, int n, int last)
{
    double sum = 1;
    for (int k = n; k >= last; k -= 2)
        sum = 1 - sum * x / (k * (k - 1));
    return sum;
}

/// Cosine of `turns` in [0, 1), of a full turn each.
double cosine_of_turns(double turns)
{
    const double from_half = std::fabs(turns - 0.5); // differences are exact from here on
    const double sign = from_half > 0.25 ? 1 : -1;
    const double acute = from_half > 0.25 ? 0.5 - from_half : from_half; // at most a quarter
    constexpr double radians = 2 * std::numbers::pi;
    if (acute <= 0.125) {
        const double angle = radians * acute;
        return sign * alternating_series(angle * angle, 18, 2);
    }
    const double angle = radians * (0.25 - acute);
    return sign * angle * alternating_series(angle * angle, 17, 3);
}

} // namespace

double CounterStream::normal() noexcept
{
    const double radius = std::sqrt(-2.0 * logarithm(1.0 - uniform()));
    return radius * cosine_of_turns(uniform());
}

} // namespace senteval::stats
