#include "paragram_model/packing.hpp"

#include <algorithm>
#include <numeric>

namespace senteval::paragram {

void Packing::assign(std::span<const std::uint32_t> lengths)
{
    length.assign(lengths.begin(), lengths.end());
    std::vector<std::uint32_t> order(length.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return length[a] > length[b]; });
    rank.resize(length.size());
    for (std::uint32_t place = 0; place < order.size(); ++place)
        rank[order[place]] = place;
    offset.assign(1, 0);
    const std::size_t steps = order.empty() ? 0 : length[order.front()];
    std::size_t active = order.size();
    for (std::size_t step = 0; step < steps; ++step) {
        while (active > 0 && length[order[active - 1]] <= step)
            --active;
        offset.push_back(offset.back() + static_cast<std::uint32_t>(active));
    }
}

} // namespace senteval::paragram
