#include "stats/contributions.hpp"

#include "stats/signs.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace senteval::stats {

Contributions::Contributions(std::span<const Scored> rows, const Sources& sources)
{
    const std::size_t items = rows.front().fits.front().influence.size();
    if (items == 0 || items >= most_signs)
        return;
    auto cluster = sources.first.empty() ? std::vector<std::uint32_t>() : clusters_of(sources);
    if (cluster.empty()) {
        cluster.resize(items);
        std::iota(cluster.begin(), cluster.end(), 0U);
    }
    const std::size_t clusters = *std::max_element(cluster.begin(), cluster.end()) + std::size_t{1};
    if (clusters < fewest_signs || 2 * clusters < items)
        return;
    shares_.resize(clusters);
    for (const std::uint32_t own : cluster)
        shares_[own] += 1 / static_cast<double>(items);
    for (const Scored& row : rows) {
        const Column influence = mean_influence(row.fits);
        Column& sums = influences_.emplace_back(clusters);
        for (std::size_t item = 0; item < items; ++item)
            sums[cluster[item]] += influence[item];
    }
}

std::vector<double>
Contributions::of_difference(std::size_t a, std::size_t b, double difference) const
{
    std::vector<double> each;
    each.reserve(shares_.size());
    for (std::size_t at = 0; at < shares_.size(); ++at)
        each.push_back(influences_[a][at] - influences_[b][at] + difference * shares_[at]);
    return each;
}

} // namespace senteval::stats
