// classification.hpp -- a classifier on top of the embeddings, by SentEval's three ways of
// validating it. Metrics: devacc, acc, ndev, ntest, all as the original reports them.
#pragma once

#include "learn/features.hpp"
#include "learn/settings.hpp"
#include "tasks/protocols/protocol.hpp"

#include <cstddef>
#include <optional>

namespace senteval::tasks {

/// What a task prescribes, whatever the user's settings are.
struct ClassificationRules {
    learn::PairForm pair_form = learn::PairForm::difference_product;
    bool regularised = true; ///< false: practically no penalty, and no search for one
    bool linear = false;     ///< no hidden layer
    bool f1 = false;         ///< also the F1 score of class 1, as "f1"
    std::optional<std::size_t> max_epoch;
    std::optional<std::size_t> epoch_size;
};

/// Nested cross-validation over the only part.
Protocol inner_kfold_classification(const ClassificationRules& rules = {});

/// Cross-validation on "train", test on "test".
Protocol kfold_classification(const ClassificationRules& rules = {});

/// Parts "train", "dev" and "test".
Protocol split_classification(const ClassificationRules& rules = {});

} // namespace senteval::tasks
