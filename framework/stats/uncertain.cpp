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
constexpr double half = 0.5;
constexpr double small = 0.001;
constexpr double normal_freedom = 1e6;

struct Node {
    double w;
    double weight;
};

/// Of a difference, given W.
struct Given {
    double variance = 0; ///< whatever is observed
    double seeds = 0;    ///< what of it is by seeds
    double along = 0;
    double weight = 0;

    /// Where c is observed. `change`: of its logarithm with that of c.
    struct Variance {
        double value;
        double change;
    };
    [[nodiscard]] Variance at(double c) const
    {
        if (!(along > 0) || !(variance > seeds))
            return {std::max(variance, seeds), 0};
        // The largest root of V^3 - variance V^2 - along S^2 V + along S^2 c^2, by Newton's iteration from
        // above, where it is convex; none above the seeds' share: it is that.
        const double product = along * seeds * seeds;
        double v = variance;
        double slope = 0;
        for (int step = 0; step < 50; ++step) {
            slope = (3 * v - 2 * variance) * v - product;
            if (!(slope > 0))
                return {seeds, 0};
            const double move = (((v - variance) * v - product) * v + product * c * c) / slope;
            v -= move;
            if (std::abs(move) < 1e-9 * v)
                break;
        }
        return v > seeds ? Variance{v, -2 * product * c * c / (v * slope)} : Variance{seeds, 0};
    }
};

/// W's distribution: of x = log chi-squared the density is exp(x freedom / 2 - exp(x) / 2), which falls at
/// least like exp(x / sd) on the left, and faster than a normal one on the right.
std::vector<Node> nodes_of(double freedom)
{
    const double shape = freedom / 2;
    const double middle = boost::math::digamma(shape) + std::numbers::ln2;
    const double sd = std::sqrt(boost::math::trigamma(shape));
    const double step = std::min(sd / 4, 0.4);
    const double peak = shape * std::log(freedom) - shape; // so that no weight overflows
    std::vector<Node> nodes;
    double sum = 0;
    for (double x = middle - 16 * sd; x < middle + 6 * sd; x += step) {
        const double weight = std::exp(shape * x - std::exp(x) / 2 - peak);
        if (weight < 1e-12)
            continue;
        nodes.push_back({freedom / std::exp(x), weight});
        sum += weight;
    }
    for (Node& node : nodes)
        node.weight /= sum;
    return nodes;
}

/// The c that |difference| exceeds at the level. By Newton's iteration on the logarithms, of which the tail's
/// falls nearly linearly.
double exceeded_at(double level, const std::vector<Given>& given, double start)
{
    double c = start;
    for (int step = 0; step < 50; ++step) {
        double tail = 0;
        double density = 0;
        for (const Given& one : given) {
            const auto at = one.at(c);
            const double z = c / std::sqrt(at.value);
            tail += one.weight * std::erfc(z / std::numbers::sqrt2);
            density += one.weight * z * std::exp(-z * z / 2) * (1 - at.change / 2);
        }
        density *= std::sqrt(2 / std::numbers::pi); // - d tail / d log c
        const double change = tail / density * std::log(tail / level);
        c *= std::exp(std::clamp(change, -1.0, 1.0));
        if (std::abs(change) < 1e-7)
            break;
    }
    return c;
}

/// Of Student's t the quotient of the quantiles at a rare and a frequent level falls with its degrees of freedom: by
/// secants on their inverse.
double freedom_of(double quotient, double rare, double frequent, double least, double most)
{
    const auto missing = [&](double inverse) {
        return std::log(t_quantile(rare, 1 / inverse) / t_quantile(frequent, 1 / inverse) /
                        quotient);
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

/// The t with that limit at the usual level.
Student of_limit(double at_usual, double freedom)
{
    return {at_usual / t_quantile(usual, freedom), freedom};
}

} // namespace

Student through(double at_usual, double at_half)
{
    constexpr double least_freedom = 0.05;
    if (!(at_half > 0)) // nothing varies
        return {0, normal_freedom};
    const double freedom =
        freedom_of(at_usual / at_half, usual, half, least_freedom, normal_freedom);
    return of_limit(at_usual, freedom);
}

double UncertainVariance::typical() const
{
    return std::max(rest + beside, at_least + own);
}

Told UncertainVariance::nearest() const
{
    const double most = std::min(rest_freedom, normal_freedom);
    const auto both = [](const Student& student) { return Told{student, student}; };
    if (!(at_least > 0) && beside == 0) {
        const Student of_rest{std::sqrt(rest), rest_freedom};
        if (!(tail_freedom > 0 && tail_freedom < rest_freedom))
            return both(of_rest);
        const double limit = of_rest.standard_error * t_quantile(usual, rest_freedom);
        return {of_limit(limit, tail_freedom), of_rest};
    }
    const bool is_known = !(freedom < normal_freedom);
    if (is_known && !(along > 0))
        return both({std::sqrt(typical()), most});
    const std::vector<Node> nodes = is_known ? std::vector<Node>{{1, 1}} : nodes_of(freedom);
    const auto exceeded = [&](double level) {
        // Without W it is t of rest_freedom: a normal distribution with that quantile stands for it.
        const double wider = t_quantile(level, most) / t_quantile(level, normal_freedom);
        std::vector<Given> given;
        given.reserve(nodes.size());
        for (const Node& node : nodes)
            given.push_back({rest * wider * wider + node.w * beside, node.w * at_least + own, along,
                             node.weight});
        return exceeded_at(level, given, std::sqrt(typical()) * t_quantile(level, normal_freedom));
    };
    const double at_usual = exceeded(usual);
    if (is_known)
        return both(of_limit(at_usual, most));
    const double least = std::min(freedom, most);
    const double largest = std::max(freedom, most);
    return {
        of_limit(at_usual, freedom_of(exceeded(small) / at_usual, small, usual, least, largest)),
        of_limit(at_usual, freedom_of(at_usual / exceeded(half), usual, half, least, largest))};
}

UncertainVariance rest_of(const VarianceSum& sum, double least)
{
    UncertainVariance variance;
    variance.rest = std::max(sum.total(), least);
    variance.rest_freedom = sum.freedom_of(variance.rest);
    return variance;
}

} // namespace senteval::stats
