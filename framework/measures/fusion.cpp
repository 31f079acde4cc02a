#include "measures/fusion.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace senteval::measures {
namespace {

constexpr double least_spread = 1e-9;

/// What is subtracted from the scores of a list, and what they are divided by.
std::pair<double, double> scale_of(const std::vector<Listed>& list, ScoreScale scale)
{
    if (list.empty())
        return {0, 1};
    if (scale == ScoreScale::min_max) {
        const auto [low, high] = std::ranges::minmax(list, {}, &Listed::score);
        return {low.score, std::max(high.score - low.score, least_spread)};
    }
    const auto n = static_cast<double>(list.size());
    double sum = 0;
    for (const Listed& one : list)
        sum += one.score;
    const double mean = sum / n;
    double squares = 0;
    for (const Listed& one : list)
        squares += (one.score - mean) * (one.score - mean);
    return {mean, std::max(std::sqrt(squares / n), least_spread)};
}

struct Sum {
    double score = 0;
    double lists = 0;
};

} // namespace

std::vector<Listed> fuse(std::span<const std::vector<Listed>> lists, const Fusion& fusion)
{
    if (!fusion.weights.empty() && fusion.weights.size() != lists.size())
        throw base::Error("{} rankings cannot have {} weights", lists.size(),
                          fusion.weights.size());
    std::map<std::uint32_t, Sum> sums;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        const double weight = fusion.weights.empty() ? 1 : fusion.weights[i];
        const auto [shift, divisor] = scale_of(lists[i], fusion.scale);
        double rank = 0;
        for (const Listed& one : lists[i]) {
            const double part = fusion.method == FusionMethod::rrf ? 1 / (fusion.k + ++rank)
                                                                   : (one.score - shift) / divisor;
            Sum& sum = sums[one.document];
            sum.score += weight * part;
            ++sum.lists;
        }
    }
    std::vector<Listed> fused;
    for (const auto& [document, sum] : sums)
        fused.push_back(
            {document, fusion.method == FusionMethod::mnz ? sum.score * sum.lists : sum.score});
    std::ranges::sort(fused, [](const Listed& a, const Listed& b) {
        const auto x = static_cast<float>(a.score);
        const auto y = static_cast<float>(b.score);
        return x != y ? x > y : a.document > b.document;
    });
    return fused;
}

} // namespace senteval::measures
