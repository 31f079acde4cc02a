#include "learn/neighbours.hpp"

#include "learn/classifier.hpp"
#include "learn/points.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace senteval::learn {

std::vector<std::uint32_t> nearest_neighbours(const DesignMatrix& matrix,
                                              std::span<const std::uint32_t> train,
                                              std::span<const std::uint32_t> asked,
                                              std::size_t count)
{
    if (train.size() < count)
        throw TooFewItems("{} nearest neighbours of {} training items", count, train.size());
    constexpr std::size_t block = Panels::group;
    Centres centres(train.size(), matrix.inputs());
    DesignMatrix::Batch batch(matrix, block);
    for (std::size_t t = 0; t < train.size(); ++t) {
        batch.load(train.subspan(t, 1));
        centres.move(t, batch.rows().rows[0]);
    }

    // Single precision finds some more than are asked for; double precision decides among these.
    const std::size_t some = std::min(train.size(), 2 * count + 8);
    std::vector<std::uint32_t> found;
    AlignedVector<float> closeness;
    std::vector<std::uint32_t> order(train.size());
    std::vector<std::pair<double, std::uint32_t>> nearest(some);
    for (std::size_t first = 0; first < asked.size(); first += block) {
        batch.load(asked.subspan(first, std::min(block, asked.size() - first)));
        Panels(matrix.inputs(), {batch.rows().rows, batch.size()})
            .multiply(centres.columns(), 0, closeness);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const auto nearer = [&](std::uint32_t a, std::uint32_t b) {
                const float of_a = closeness[a * block + i];
                const float of_b = closeness[b * block + i];
                return of_a != of_b ? of_a > of_b : a < b;
            };
            std::iota(order.begin(), order.end(), 0U);
            std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(some),
                              order.end(), nearer);
            for (std::size_t j = 0; j < some; ++j)
                nearest[j] = {squared_distance(centres[order[j]], batch.rows().rows[i]), order[j]};
            std::sort(nearest.begin(), nearest.end());
            for (std::size_t j = 0; j < count; ++j)
                found.push_back(nearest[j].second);
        }
    }
    return found;
}

std::vector<std::uint8_t> majority_votes(std::span<const std::uint32_t> neighbours,
                                         std::size_t count,
                                         std::span<const std::uint8_t> has,
                                         std::size_t labels)
{
    std::vector<std::uint8_t> result(neighbours.size() / count * labels);
    for (std::size_t i = 0; i < neighbours.size() / count; ++i)
        for (std::size_t label = 0; label < labels; ++label) {
            std::size_t votes = 0;
            for (const std::uint32_t t : neighbours.subspan(i * count, count))
                votes += has[t * labels + label];
            result[i * labels + label] = 2 * votes > count ? 1 : 0;
        }
    return result;
}

} // namespace senteval::learn
