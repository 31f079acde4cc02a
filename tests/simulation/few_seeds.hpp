// few_seeds.hpp -- equal encoders of few seeds beside others that vary less by seed.
#pragma once

#include <cstddef>

namespace senteval::test {

/// Rows that have the same mean, and no seeds in common.
struct Rows {
    std::size_t count = 0;
    std::size_t seeds = 0;
    double variance = 1; ///< of one fit, by seed
};

/// Share of `draws` tables of made-up scores, of which items hardly vary, in which some one of the rows is told from
/// another, on a task that the built-in table does not know.
double few_seeds_rejections(const Rows& some, const Rows& others, std::size_t draws);

} // namespace senteval::test
