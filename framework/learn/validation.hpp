// validation.hpp -- SentEval's three ways of choosing the L2 strength and testing with it
// (tools/validation.py: InnerKFoldClassifier, KFoldClassifier, SplitClassifier). The normalisation of
// the embeddings is a hyper-parameter beside the strength (Eger, Rücklé & Gurevych 2019, section 4), and so is the
// hidden layer of an mlp, as SentEval's README tunes it for probing.
#pragma once

#include "embedding/normalise.hpp"
#include "learn/classifier.hpp"
#include "learn/features.hpp"
#include "learn/kernels.hpp"
#include "learn/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace senteval::learn {

/// Items with their features and classes, in the order that folds and batches are made from. A view.
struct Dataset {
    Features features;
    std::span<const Label> labels;
};

struct ValidationOptions {
    Settings classifier;
    std::size_t classes = 2;
    std::uint32_t seed = 1111;       ///< of every fit
    std::uint32_t folds_seed = 1111; ///< of the folds of k-fold with a test set
    std::size_t kfold = 10;
    bool regularised = true; ///< false: no search, practically no penalty (SNLI)
    /// One or more to choose from. Fitted on the items that a model is trained on, whichever fold they
    /// are of, and applied to those it is measured on.
    std::vector<embedding::Treatment> normalisations = {embedding::Normalisation::none};
    /// Hidden layers to choose from, one without units being softmax regression; empty: the classifier's.
    std::vector<HiddenLayer> hidden = {};
    /// The items that models of nested cross-validation learn from, whichever fold they are of; all are tested.
    /// Empty: all.
    std::vector<bool> learnable = {};
    unsigned threads = 1;                       ///< the result does not depend on it
    const Kernels* kernels = &learn::kernels(); ///< nor on these
    std::stop_token stop;
    std::function<void(std::size_t done, std::size_t total)> progress; ///< fits; called from any
                                                                       ///< thread, one at a time
};

/// One search, the refit with the chosen candidate, and its test. A candidate is a hidden layer, a normalisation
/// and a strength: layer by layer, normalisation by normalisation within, as the options order them, and by
/// strength within that.
struct Search {
    std::vector<double> dev;                ///< per cent, rounded, by candidate
    std::vector<std::vector<double>> folds; ///< dev accuracy (0 ... 1) by candidate and fold; the
                                            ///< split has one "fold"
    std::size_t chosen = 0;                 ///< candidate: the first maximum of dev
    double test = 0;                        ///< per cent, rounded
    std::size_t passes = 0;                 ///< of the tested model
    std::size_t unconverged = 0;            ///< fits that ended at max_iterations
};

struct TestPrediction {
    std::uint32_t item = 0; ///< index into the tested dataset
    std::uint32_t fold = 0; ///< outer fold; 0 where there is a test set
    Label label = 0;
    double confidence = 0; ///< probability of `label`
};

struct Validation {
    double devacc = 0; ///< per cent, rounded as the original
    double acc = 0;
    std::vector<double> strengths; ///< the grid
    std::size_t normalisations = 1;
    std::vector<Search> searches;            ///< one per outer fold, or one
    std::vector<TestPrediction> predictions; ///< every test item, ordered by (fold, item)

    /// Index of a candidate's strength, and of its normalisation and hidden layer among those of the options.
    [[nodiscard]] std::size_t strength(std::size_t candidate) const
    {
        return candidate % strengths.size();
    }
    [[nodiscard]] std::size_t normalisation(std::size_t candidate) const
    {
        return candidate / strengths.size() % normalisations;
    }
    [[nodiscard]] std::size_t hidden(std::size_t candidate) const
    {
        return candidate / strengths.size() / normalisations;
    }
};

/// All three throw base::Error with what is wrong with the data (labels beyond `classes`, one class
/// only, no class with as many members as folds, features that are not finite), base::UsageError
/// for the settings and base::Cancelled after a stop was requested. A class with fewer members than
/// folds is missing from some folds, as in scikit-learn; it is then simply not learned there.

/// Nested cross-validation (CR MR SUBJ MPQA). Its folds are those of random state 1111, always.
Validation inner_kfold(const Dataset& data, const ValidationOptions& options);

/// Cross-validation on train, refit on all of it, test (TREC MRPC).
Validation kfold(const Dataset& train, const Dataset& test, const ValidationOptions& options);

/// Fixed train, dev and test parts (SST SICKEntailment SNLI probing).
Validation split(const Dataset& train,
                 const Dataset& dev,
                 const Dataset& test,
                 const ValidationOptions& options);

} // namespace senteval::learn
