#include "stats/expected_variance.hpp"

#include "core/nan.hpp"
#include "stats/quantile.hpp"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace senteval::stats {
namespace {

/// Newton's iteration of Smyth 2004, appendix: 1 / trigamma is convex and nearly linear.
double inverse_trigamma(double x)
{
    double y = 0.5 + 1 / x;
    for (int step = 0; step < 50; ++step) {
        const double tri = boost::math::trigamma(y);
        const double change = tri * (1 - tri / x) / boost::math::polygamma(2, y);
        y += change;
        if (-change / y < 1e-10)
            break;
    }
    return y;
}

/// Unbiased for the true variances' logarithms, with the sampling variance of each.
struct Logarithms {
    std::vector<double> values;
    std::vector<double> by_chance;
};

Logarithms logarithms_of(std::span<const double> variances, std::span<const double> freedom)
{
    Logarithms logs;
    for (std::size_t i = 0; i < variances.size(); ++i) {
        if (!(variances[i] > 0) || !(freedom[i] > 0))
            continue;
        const double half = freedom[i] / 2;
        logs.values.push_back(std::log(variances[i]) - boost::math::digamma(half) + std::log(half));
        logs.by_chance.push_back(boost::math::trigamma(half));
    }
    return logs;
}

/// More than chance makes it; less than 0 where they differ by less.
double spread_of(const Logarithms& logs)
{
    const double sd = summarise(logs.values).sd;
    return sd * sd - summarise(logs.by_chance).mean;
}

/// Whose logarithms have this mean and spread.
ExpectedVariance inverse_chi_squared(double mean, double spread)
{
    if (!(spread > 0))
        return {std::exp(mean), std::numeric_limits<double>::infinity()};
    const double half = inverse_trigamma(spread);
    return {std::exp(mean + boost::math::digamma(half) - std::log(half)), 2 * half};
}

} // namespace

double log_spread(std::span<const double> variances, std::span<const double> freedom)
{
    const Logarithms logs = logarithms_of(variances, freedom);
    return logs.values.size() < 2 ? core::nan : std::max(0.0, spread_of(logs));
}

ExpectedVariance
expected_variance(std::span<const double> variances, std::span<const double> freedom, double spread)
{
    const Logarithms logs = logarithms_of(variances, freedom);
    double sum = 0;
    double weights = 0;
    for (std::size_t i = 0; i < logs.values.size(); ++i) {
        const double weight = 1 / (spread + logs.by_chance[i]);
        sum += weight * logs.values[i];
        weights += weight;
    }
    return inverse_chi_squared(sum / weights, spread + 1 / weights);
}

} // namespace senteval::stats
