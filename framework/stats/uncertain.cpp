#include "stats/uncertain.hpp"

#include "stats/power.hpp"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace senteval::stats {
namespace {

constexpr double usual = 0.05;
constexpr double small = 0.001;
constexpr double normal_freedom = 1e6;

struct Node {
    double w;
    double weight;
};

/// W's distribution: of x = log chi-squared the density is exp(x freedom / 2 - exp(x) / 2), which falls at
/// least like exp(x / sd) on the left, and faster than a normal one on the right.
std::vector<Node> nodes_of(double freedom)
{
    const double half = freedom / 2;
    const double middle = boost::math::digamma(half) + std::numbers::ln2;
    const double sd = std::sqrt(boost::math::trigamma(half));
    const double step = std::min(sd / 4, 0.4);
    const double peak = half * std::log(freedom) - half; // so that no weight overflows
    std::vector<Node> nodes;
    double sum = 0;
    for (double x = middle - 16 * sd; x < middle + 6 * sd; x += step) {
        const double weight = std::exp(half * x - std::exp(x) / 2 - peak);
        if (weight < 1e-12)
            continue;
        nodes.push_back({freedom / std::exp(x), weight});
        sum += weight;
    }
    for (Node& node : nodes)
        node.weight /= sum;
    return nodes;
}

/// The c that |difference| exceeds at the level. `variances`: the normal distributions', and `floor` the
/// least of all. By Newton's iteration on the logarithms, of which the tail's falls nearly linearly.
double exceeded_at(double level, const std::vector<Node>& variances, double start)
{
    double c = start;
    for (int step = 0; step < 50; ++step) {
        double tail = 0;
        double density = 0;
        for (const Node& node : variances) {
            const double z = c / std::sqrt(node.w);
            tail += node.weight * std::erfc(z / std::numbers::sqrt2);
            density += node.weight * z * std::exp(-z * z / 2);
        }
        density *= std::sqrt(2 / std::numbers::pi); // - d tail / d log c
        const double change = tail / density * std::log(tail / level);
        c *= std::exp(std::clamp(change, -1.0, 1.0));
        if (std::abs(change) < 1e-7)
            break;
    }
    return c;
}

/// Of Student's t the quantiles' quotient falls with its degrees of freedom: by secants on their inverse.
double freedom_of(double quotient, double least, double most)
{
    const auto missing = [&](double inverse) {
        return std::log(t_quantile(small, 1 / inverse) / t_quantile(usual, 1 / inverse) / quotient);
    };
    double low = 1 / most;
    double high = 1 / least;
    double at_low = missing(low);
    double at_high = missing(high);
    if (at_low >= 0)
        return most;
    if (at_high <= 0)
        return least;
    for (int step = 0; step < 60 && high - low > 1e-6 * high; ++step) { // Illinois
        const double middle = low - at_low * (high - low) / (at_high - at_low);
        const double at_middle = missing(middle);
        if (std::abs(at_middle) < 1e-7)
            return 1 / middle;
        if (at_middle > 0) {
            high = middle;
            at_high = at_middle;
            at_low /= 2;
        } else {
            low = middle;
            at_low = at_middle;
            at_high /= 2;
        }
    }
    return 2 / (low + high);
}

} // namespace

double UncertainVariance::typical() const
{
    return std::max(rest + beside, at_least);
}

Student UncertainVariance::nearest() const
{
    const double most = std::min(rest_freedom, normal_freedom);
    if (!(at_least > 0) && !(beside > 0))
        return {std::sqrt(rest), rest_freedom};
    if (!(freedom < normal_freedom))
        return {std::sqrt(typical()), most};
    const std::vector<Node> nodes = nodes_of(freedom);
    const auto exceeded = [&](double level) {
        // Without W it is t of rest_freedom: a normal distribution with that quantile stands for it.
        const double wider = t_quantile(level, most) / t_quantile(level, normal_freedom);
        std::vector<Node> variances = nodes;
        for (Node& node : variances)
            node.w = std::max(rest * wider * wider + node.w * beside, node.w * at_least);
        return exceeded_at(level, variances,
                           std::sqrt(typical()) * t_quantile(level, normal_freedom));
    };
    const double at_usual = exceeded(usual);
    const double fitted =
        freedom_of(exceeded(small) / at_usual, std::min(freedom, most), std::max(freedom, most));
    return {at_usual / t_quantile(usual, fitted), fitted};
}

} // namespace senteval::stats
