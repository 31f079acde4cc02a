// few_shot.hpp -- a classifier learned from a few items of each class, several times: MTEB's classification (2.20).
#pragma once

#include "tasks/protocols/protocol.hpp"

#include <cstddef>

namespace senteval::tasks {

struct FewShotRules {
    std::size_t samples_per_label = 8;
    std::size_t experiments = 10;
    /// Above 0: the part "test" alone, in so many folds; each fold is learned from a few items of the others.
    std::size_t folds = 0;
    bool converged = false; ///< the minimum, in place of scikit-learn's 100 steps
};

/// Parts: "train", and "test" (tested), with labels. Logistic regression (learn/lbfgs_regression.hpp) on the embeddings
/// as they are, from MTEB's draws. Every experiment predicts all test items: further series "experiment 1",
/// "experiment 2" ... of the outcomes. Metrics: means over the experiments of accuracy, f1 (macro), f1_weighted,
/// precision, recall and the weighted ones, in per cent; "ap" where the classes are 0 and 1.
Protocol few_shot_protocol(const FewShotRules& rules);

/// What its numbers depend on; "protocol" is its name.
base::Json
few_shot_settings(const task::Settings& settings, const FewShotRules& rules, const char* protocol);

/// The same with several labels an item (Part::label_sets): the five nearest of the training items vote on each label.
/// Metrics: accuracy (all labels right), lrap, f1 (macro over labels), hamming (label overlap: Jaccard's index).
Protocol multilabel_protocol(const FewShotRules& rules);

} // namespace senteval::tasks
