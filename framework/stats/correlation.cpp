#include "stats/correlation.hpp"

#include "base/error.hpp"

#include <boost/math/special_functions/beta.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace senteval::stats {
namespace {

double mean(std::span<const double> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Two-sided p-value: with t = r sqrt((n-2)/(1-r^2)), P(|T| > |t|) = I_{1-r^2}((n-2)/2, 1/2).
double p_value(double r, std::size_t n)
{
    if (n <= 2)
        return 1.0;
    const double rest = std::clamp((1.0 - r) * (1.0 + r), 0.0, 1.0);
    return boost::math::ibeta(static_cast<double>(n - 2) / 2.0, 0.5, rest);
}

void require_same_size(std::span<const double> x, std::span<const double> y)
{
    if (x.size() != y.size())
        throw base::Error("a correlation needs two lists of the same length, not {} and {}",
                          x.size(), y.size());
}

} // namespace

Correlation pearson(std::span<const double> x, std::span<const double> y)
{
    require_same_size(x, y);
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    if (x.size() < 2)
        return {nan, nan};
    const double mean_x = mean(x);
    const double mean_y = mean(y);
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double dx = x[i] - mean_x;
        const double dy = y[i] - mean_y;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    const auto constant = [](std::span<const double> v) {
        return std::all_of(v.begin(), v.end(), [&](double value) { return value == v.front(); });
    };
    if (constant(x) || constant(y) || !(xx > 0) || !(yy > 0))
        return {nan, nan};
    const double r = std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0);
    return {r, p_value(r, x.size())};
}

std::vector<double> ranks(std::span<const double> values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> result(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first + 1;
        while (last < order.size() && values[order[last]] == values[order[first]])
            ++last;
        const double rank = (static_cast<double>(first + 1) + static_cast<double>(last)) / 2.0;
        for (std::size_t at = first; at < last; ++at)
            result[order[at]] = rank;
        first = last;
    }
    return result;
}

Correlation spearman(std::span<const double> x, std::span<const double> y)
{
    require_same_size(x, y);
    return pearson(ranks(x), ranks(y));
}

double weighted_mean(std::span<const double> values, std::span<const double> weights)
{
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0) / total;
}

TaskCorrelation task_correlation(std::span<const std::vector<double>> values)
{
    const std::size_t tasks = values.size();
    TaskCorrelation result{tasks, std::vector<double>(tasks * tasks),
                           std::vector<std::size_t>(tasks * tasks)};
    for (std::size_t a = 0; a < tasks; ++a) {
        for (std::size_t b = 0; b < tasks; ++b) {
            if (values[a].size() != values[b].size())
                throw base::Error("every task needs one value for each encoder: {} and {}",
                                  values[a].size(), values[b].size());
            std::vector<double> x;
            std::vector<double> y;
            for (std::size_t encoder = 0; encoder < values[a].size(); ++encoder) {
                if (std::isnan(values[a][encoder]) || std::isnan(values[b][encoder]))
                    continue;
                x.push_back(values[a][encoder]);
                y.push_back(values[b][encoder]);
            }
            result.n[a * tasks + b] = x.size();
            result.r[a * tasks + b] =
                x.size() < 3 ? std::numeric_limits<double>::quiet_NaN() : spearman(x, y).r;
        }
    }
    return result;
}

} // namespace senteval::stats
