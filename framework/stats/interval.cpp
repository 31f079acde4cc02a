#include "stats/interval.hpp"

#include <algorithm>
#include <cmath>

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

} // namespace senteval::stats
