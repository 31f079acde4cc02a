// range.hpp -- Tukey's range: how far apart the largest and the smallest of several equal scores may lie.
#pragma once

#include <cstddef>
#include <vector>

namespace senteval::stats {

/// P(range of `count` independent standard normal values > q), which is that of the studentised range with
/// infinite degrees of freedom (Tukey 1953). Over all pairs of scores that are not independent, or not equally
/// exact, it is an upper bound (Tukey & Kramer's; Hayter 1984), closer than Bonferroni's.
class NormalRange {
public:
    explicit NormalRange(std::size_t count);

    /// Also where it is as small as 1e-300.
    [[nodiscard]] double beyond(double q) const;

private:
    struct Node {
        double x;
        double below;  ///< the distribution function there
        double weight; ///< that x is the largest, times the step
    };
    std::vector<Node> nodes_;
    double others_;
};

} // namespace senteval::stats
