// classification.hpp -- a classifier on top of the embeddings, by SentEval's three ways of
// validating it. Metrics: devacc, acc, ndev, ntest, all as the original reports them; f1 and macro-f1 on request.
#pragma once

#include "learn/features.hpp"
#include "learn/settings.hpp"
#include "tasks/protocols/protocol.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace senteval::tasks {

/// Rules of a task, whatever the user's settings are.
struct ClassificationRules {
    learn::PairForm pair_form = learn::PairForm::difference_product;
    bool regularised = true;  ///< false: practically no penalty, and no search for one
    bool linear = false;      ///< no hidden layer
    std::string f1 = {};      ///< title of the F1 score of class 1, the metric "f1"; empty: none
    bool macro_f1 = false;    ///< also the mean of the F1 scores of all classes, as "macro-f1"
    bool fixed_folds = false; ///< those of the default seed, whatever the user's
    /// Logistic regression to its minimum, unless the user names a classifier.
    bool converges = false;
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
