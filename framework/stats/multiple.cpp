#include "stats/multiple.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::stats {

std::vector<double> holm(std::span<const double> p_values)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < p_values.size(); ++i)
        if (!std::isnan(p_values[i]))
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
    std::vector<double> result(p_values.begin(), p_values.end());
    double least = 0;
    for (std::size_t step = 0; step < order.size(); ++step) {
        const auto left = static_cast<double>(order.size() - step);
        least = std::max(least, std::min(1.0, left * p_values[order[step]]));
        result[order[step]] = least;
    }
    return result;
}

} // namespace senteval::stats
