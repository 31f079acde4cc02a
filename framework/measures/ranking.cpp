#include "measures/ranking.hpp"

#include "base/error.hpp"
#include "base/nan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace senteval::measures {
namespace {

double gain(int grade, std::size_t rank)
{
    return grade / std::log2(static_cast<double>(rank + 1));
}

} // namespace

RankingMeasures
ranking_measures(std::span<const int> ranked, std::span<const int> judged, std::size_t k)
{
    if (k == 0)
        throw base::Error("a ranking is measured on one document at least");
    std::vector<int> relevant;
    std::ranges::copy_if(judged, std::back_inserter(relevant), [](int grade) { return grade > 0; });
    RankingMeasures result;
    if (relevant.empty())
        return result;
    std::ranges::sort(relevant, std::greater());
    double ideal = 0;
    for (std::size_t i = 0; i < std::min(k, relevant.size()); ++i)
        ideal += gain(relevant[i], i + 1);
    double hits = 0;
    for (std::size_t i = 0; i < std::min(k, ranked.size()); ++i)
        if (ranked[i] > 0) {
            const auto position = static_cast<double>(i + 1);
            if (++hits == 1)
                result.mrr = 1 / position;
            result.map += hits / position;
            result.ndcg += gain(ranked[i], i + 1);
        }
    const auto count = static_cast<double>(relevant.size());
    result.ndcg /= ideal;
    result.map /= count;
    result.recall = hits / count;
    result.precision = hits / static_cast<double>(k);
    result.hit_rate = hits > 0 ? 1 : 0;
    return result;
}

namespace {

/// The values in ascending order of their keys; those of equal keys are all their mean.
std::vector<double> sorted_by(std::span<const double> key, std::span<const double> values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return key[i]; });
    std::vector<double> sorted;
    for (std::size_t first = 0; first < order.size(); first = sorted.size()) {
        double sum = 0;
        std::size_t end = first;
        do // at least once: a key that is not a number equals none
            sum += values[order[end]];
        while (++end < order.size() && key[order[end]] == key[order[first]]);
        sorted.resize(end, sum / static_cast<double>(end - first));
    }
    return sorted;
}

/// The area by trapezoids under the means of `values` without the items that come first by `key`.
struct Curve {
    double area = 0;
    double first = 0; ///< with all items
};

Curve curve_by(std::span<const double> key, std::span<const double> values)
{
    constexpr int rates = 10;
    const std::vector<double> sorted = sorted_by(key, values);
    std::array<double, rates> means{};
    for (int rate = 0; rate < rates; ++rate) {
        const auto wanted =
            std::nearbyint(rate * 0.1 * static_cast<double>(values.size())); // half to even
        const std::size_t left_out = std::min(static_cast<std::size_t>(wanted), values.size() - 1);
        means.at(static_cast<std::size_t>(rate)) =
            std::accumulate(sorted.begin() + static_cast<std::ptrdiff_t>(left_out), sorted.end(),
                            0.0) /
            static_cast<double>(values.size() - left_out);
    }
    Curve curve{0, means.front()};
    for (std::size_t rate = 1; rate < means.size(); ++rate)
        curve.area += (means.at(rate) + means.at(rate - 1)) / 2 / 10;
    return curve;
}

} // namespace

double abstention_gain(std::span<const double> confidence, std::span<const double> values)
{
    if (values.empty() || confidence.size() != values.size())
        throw base::Error("{} values and {} confidences", values.size(), confidence.size());
    const Curve oracle = curve_by(values, values);
    const double flat = oracle.first * 0.9;
    constexpr double rounding = 1e-12;
    if (std::abs(oracle.area - flat) < rounding)
        return base::nan;
    return (curve_by(confidence, values).area - flat) / (oracle.area - flat);
}

} // namespace senteval::measures
