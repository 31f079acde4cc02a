#include "stats/range.hpp"

#include <boost/math/special_functions/erf.hpp>

#include <cmath>
#include <numbers>

namespace senteval::stats {
namespace {

double normal_below(double x)
{
    return boost::math::erfc(-x / std::numbers::sqrt2) / 2;
}

} // namespace

NormalRange::NormalRange(std::size_t count) : others_(static_cast<double>(count) - 1)
{
    // The trapezoidal rule converges exponentially on such an integrand: this step gives ten digits.
    constexpr double step = 0.125;
    constexpr double end = 38; // beyond it the density is 0 in double
    for (double x = -10; x <= end; x += step) {
        const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
        const double below = normal_below(x);
        const double weight = step * (others_ + 1) * density * std::pow(below, others_);
        if (weight > 0)
            nodes_.push_back({x, below, weight});
    }
}

double NormalRange::beyond(double q) const
{
    // The largest lies at x, and not all others within q below it.
    double sum = 0;
    for (const Node& node : nodes_)
        sum +=
            node.weight * -std::expm1(others_ * std::log1p(-normal_below(node.x - q) / node.below));
    return sum < 1 ? sum : 1;
}

} // namespace senteval::stats
