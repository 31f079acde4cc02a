// contributions.hpp -- what each of a few items contributes to a difference of scores.
#pragma once

#include "stats/seed_variance.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace senteval::stats {

/// Of clusters of items, which hang together by their sources: the test by signs (signs.hpp) swaps them together.
class Contributions {
public:
    Contributions() = default;

    /// Empty of most_signs items and more, of fewer than fewest_signs clusters, and where most of what varies hangs
    /// together.
    Contributions(std::span<const Scored> rows, const Sources& sources);

    [[nodiscard]] bool empty() const noexcept { return influences_.empty(); }

    /// To the value of row a less that of row b, which is `difference`.
    [[nodiscard]] std::vector<double>
    of_difference(std::size_t a, std::size_t b, double difference) const;

private:
    std::vector<Column> influences_; ///< of the rows, by cluster
    Column shares_;                  ///< of all items, by cluster
};

} // namespace senteval::stats
