// draws.hpp -- which items MTEB trains and tests on (version 2.26; AbsTaskClassification, AbsTaskMultilabelClassification).
#pragma once

#include "learn/folds.hpp"
#include "learn/random.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::learn {

/// Shuffles `order` by a fresh RandomState(seed), then takes items in that order while their label was taken
/// fewer than `per_label` times. The next experiment goes on from the order that this one leaves: the first
/// begins with 0, 1, 2 ...
std::vector<std::uint32_t> draw_per_label(std::span<const Label> labels,
                                          std::size_t per_label,
                                          std::span<std::uint32_t> order,
                                          std::uint32_t seed);

/// The same for items with several labels, in the order 0, 1, 2 ... shuffled by `random`: takes an item while
/// any of its labels counts less than `per_label`, then counts all of them.
std::vector<std::uint32_t> draw_per_label(std::span<const std::vector<Label>> labels,
                                          std::size_t per_label,
                                          NumpyGenerator& random);

/// scikit-learn's KFold(k, shuffle=True, random_state=seed), k in 1 ... count.
std::vector<Fold> shuffled_folds(std::size_t count, std::size_t k, std::uint32_t seed);

} // namespace senteval::learn
