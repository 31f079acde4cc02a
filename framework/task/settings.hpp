// settings.hpp -- what a user can choose about the evaluation itself.
#pragma once

#include "learn/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace senteval::task {

/// How near two sentence vectors are. Distances count negatively, so that more is always nearer.
enum class Similarity { cosine, dot, euclidean, manhattan };

struct Settings {
    std::uint32_t seed = 1111;
    std::size_t kfold = 10;                     ///< folds of the (nested) cross-validations
    learn::Settings classifier;                 ///< the head of the supervised tasks
    Similarity similarity = Similarity::cosine; ///< of the unsupervised tasks
};

} // namespace senteval::task
