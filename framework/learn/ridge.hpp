// ridge.hpp -- the learned score of a pair as ridge regression gives it, at its minimum: nothing is drawn.
#pragma once

#include "learn/relatedness.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace senteval::learn {

/// alpha of scikit-learn's Ridge, which minimises the sum of squared errors + alpha |w|^2, the intercept not penalised,
/// on targets of mean 0 and deviation 1. The strongest first, which takes ties.
inline constexpr std::array<double, 7> ridge_strengths = {1e3, 1e2, 10, 1, 0.1, 1e-2, 1e-3};

/// Without a dev part strengths and normalisations are chosen by this many folds of the training part, drawn by this
/// random state: by the mean of Pearson's r.
inline constexpr std::size_t ridge_folds = 5;
inline constexpr std::uint32_t ridge_folds_seed = 1111;

/// `dev` may be without items. Of the options range, normalisations and stop count. Throws as relatedness() does.
Relatedness ridge_relatedness(const ScoredDataset& train,
                              const ScoredDataset& dev,
                              const ScoredDataset& test,
                              const RelatednessOptions& options);

} // namespace senteval::learn
