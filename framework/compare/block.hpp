// block.hpp -- rows and tasks of which nothing is missing.
#pragma once

#include <cstddef>
#include <vector>

namespace senteval::compare {

/// Which of rows x tasks to keep so that nothing is missing: what has the most holes goes first; then
/// whatever fits into what was kept.
struct Block {
    std::vector<std::size_t> rows;
    std::vector<std::size_t> tasks;
};
Block complete_block(const std::vector<std::vector<bool>>& present);

/// Whether there are two rows and two tasks at least.
bool is_enough(const Block& block);

bool holds(const std::vector<std::size_t>& list, std::size_t value);

} // namespace senteval::compare
