// folds.hpp -- scikit-learn's StratifiedKFold(k, shuffle=True, random_state=seed), version 0.22 and later.
#pragma once

#include "learn/classifier.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::learn {

/// Positions in the list of labels, ascending.
struct Fold {
    std::vector<std::uint32_t> train;
    std::vector<std::uint32_t> test;
};

/// A class with fewer than k members is missing from some test parts. Throws base::Error where every
/// class has fewer, or k < 2.
std::vector<Fold>
stratified_folds(std::span<const Label> labels, std::size_t k, std::uint32_t seed);

} // namespace senteval::learn
