// relatedness.hpp -- the learned similarity score of a pair (SentEval, tools/relatedness.py).
//
// A linear layer and a softmax give a distribution over the scores 1 ... 5 (Tai, Socher and Manning
// 2015, section 4.2); it is fitted to the two scores around the gold one by mean squared error with
// Adam, and predicts its expectation.
#pragma once

#include "embedding/normalise.hpp"
#include "learn/features.hpp"
#include "learn/kernels.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace senteval::learn {

/// Items with their features and gold scores. A view.
struct ScoredDataset {
    Features features;
    std::span<const double> scores;
};

/// Lowest and highest score of a scale.
struct ScoreRange {
    double low = 1;
    double high = 5;
};

struct RelatednessOptions {
    /// Nothing: the original's encoding, made for scores of 1 ... 5; the target of a score below 1
    /// then sums to less than 1, and no prediction is below 1. With a range, scores are mapped onto
    /// 1 ... 5 for training and predictions mapped back: targets sum to 1 over the whole scale.
    std::optional<ScoreRange> range;
    std::uint32_t seed = 1111;
    /// One or more to choose from by the dev correlation; fitted on the training part.
    std::vector<embedding::Treatment> normalisations = {embedding::Normalisation::none};
    const Kernels* kernels = &learn::kernels(); ///< the result does not depend on them
    std::stop_token stop;
    std::function<void(std::size_t done, std::size_t total)> progress; ///< blocks of 50 passes; the
                                                                       ///< total is an upper bound
};

/// Correlations are 0 where they are undefined.
struct Relatedness {
    double devpearson = 0;
    double pearson = 0;
    double spearman = 0;
    double mse = 0;
    std::vector<double> yhat;          ///< predicted score of every test item
    std::size_t passes = 0;            ///< of the original's model
    double strength = 0;               ///< of ridge regression's penalty
    std::size_t normalisation = 0;     ///< index of the chosen one: the first of the best
    std::vector<double> devpearson_of; ///< by normalisation
};

/// Throws base::Error for data that cannot be used (an empty part, features or scores that are not
/// finite, scores outside the range) and base::Cancelled after a stop was requested.
Relatedness relatedness(const ScoredDataset& train,
                        const ScoredDataset& dev,
                        const ScoredDataset& test,
                        const RelatednessOptions& options);

/// What all regressions share. Throws base::Error for parts as above; a dev part without items is none.
void check_parts(const ScoredDataset& train,
                 const ScoredDataset& dev,
                 const ScoredDataset& test,
                 const RelatednessOptions& options);

/// Writes what yhat is worth.
void measure(Relatedness& result, std::span<const double> gold);

} // namespace senteval::learn
