#include "stats/quantile.hpp"

#include "core/error.hpp"
#include "core/nan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace senteval::stats {

double quantile(std::span<const double> values, double probability)
{
    if (!(probability >= 0 && probability <= 1))
        throw core::Error("a quantile's probability lies in [0, 1], not at {}", probability);
    if (values.empty())
        return core::nan;
    std::vector<double> ascending(values.begin(), values.end());
    std::sort(ascending.begin(), ascending.end());
    const double at = probability * static_cast<double>(ascending.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, ascending.size() - 1);
    const double rest = at - static_cast<double>(below);
    return ascending[below] + rest * (ascending[above] - ascending[below]);
}

Summary summarise(std::span<const double> values)
{
    if (values.empty())
        return {0, core::nan, core::nan, core::nan, core::nan};
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const auto [min, max] = std::minmax_element(values.begin(), values.end());
    return {values.size(), mean, values.size() < 2 ? core::nan : std::sqrt(squares / (count - 1.0)),
            *min, *max};
}

} // namespace senteval::stats
