// neighbours.hpp -- the nearest training items, and what they vote: the classifier of MTEB's multilabel tasks.
#pragma once

#include "learn/design_matrix.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::learn {

/// The `count` nearest of `train` by Euclidean distance for each of `asked`, nearest first, the earlier of equals:
/// places in `train`, asked.size() x count. Rows are those of the matrix. Throws TooFewItems where train has less
/// than `count`.
std::vector<std::uint32_t> nearest_neighbours(const DesignMatrix& matrix,
                                              std::span<const std::uint32_t> train,
                                              std::span<const std::uint32_t> asked,
                                              std::size_t count);

/// scikit-learn's KNeighborsClassifier(count), equal votes, label by label: whether more than half of the
/// neighbours have it. `has` is train.size() x labels, of 0 and 1; so is the result, asked.size() x labels.
std::vector<std::uint8_t> majority_votes(std::span<const std::uint32_t> neighbours,
                                         std::size_t count,
                                         std::span<const std::uint8_t> has,
                                         std::size_t labels);

} // namespace senteval::learn
