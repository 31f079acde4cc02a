// classifier.hpp -- the one interface of all classifiers, and the factory that makes them.
#pragma once

#include "base/error.hpp"
#include "learn/kernels.hpp"
#include "learn/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace senteval::learn {

class DesignMatrix;

/// The training part is too small for what is to be learned from it.
class TooFewItems : public base::Error {
public:
    using base::Error::Error;
};

using Label = std::uint32_t; ///< class index, from 0

/// Some of the labelled items of a dataset: rows of a design matrix that all subsets share.
struct Examples {
    const DesignMatrix* matrix = nullptr;
    std::span<const Label> labels;       ///< of every row of the matrix
    std::span<const std::uint32_t> rows; ///< the items meant
};

/// The classes of the training items, ascending, and the place of each item's class among them.
struct Targets {
    std::vector<Label> classes;
    std::vector<std::uint32_t> codes;
};

Targets code_labels(const Examples& train);

struct Prediction {
    Label label = 0;
    double confidence = 0; ///< probability of `label`
};

/// A trained classifier.
class Model {
public:
    Model() = default;
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;
    Model(Model&&) = delete;
    Model& operator=(Model&&) = delete;
    virtual ~Model() = default;

    /// The most probable class of each row; the first of equals.
    [[nodiscard]] virtual std::vector<Prediction>
    predict(const DesignMatrix& matrix, std::span<const std::uint32_t> rows) const = 0;
};

/// The outcome of training with one strength of the L2 penalty.
struct Fit {
    double accuracy = 0;    ///< on the dev items; on the held-out ones where there were none
    std::size_t passes = 0; ///< over the training data (iterations of logreg-newton)
    bool converged = true;  ///< false where logreg-newton ended at max_iterations
    std::unique_ptr<const Model> model;
};

/// The request that all fits of one call have in common.
struct FitRequest {
    Examples train;
    Examples dev; ///< without rows: the classifier holds out its own part of train, or needs none
    std::size_t classes = 2;
    std::span<const double> strengths; ///< one model each
    std::uint32_t seed = 1111;
    std::stop_token stop;
};

/// The protocols whose grids of strengths differ (SentEval, tools/validation.py).
enum class Protocol { inner_kfold, kfold, split };

/// Trains a whole grid of strengths at once, from the same seed on the same data. Immutable: one
/// classifier may fit on several threads. The result depends on the request alone.
class Classifier {
public:
    Classifier() = default;
    Classifier(const Classifier&) = delete;
    Classifier& operator=(const Classifier&) = delete;
    Classifier(Classifier&&) = delete;
    Classifier& operator=(Classifier&&) = delete;
    virtual ~Classifier() = default;

    /// The strengths to search, in the order that decides ties. `regularised` false: the one that
    /// practically does not regularise (SNLI).
    [[nodiscard]] virtual std::vector<double> strengths(Protocol protocol,
                                                        bool regularised) const = 0;

    /// One outcome for each strength, in their order. Throws base::Cancelled soon after a stop is
    /// requested, base::Error where nothing can be learned (all items of one class).
    [[nodiscard]] virtual std::vector<Fit> fit(const FitRequest& request) const = 0;

    /// As fit() of each. All are of one matrix and of the same strengths.
    [[nodiscard]] virtual std::vector<std::vector<Fit>>
    fit_all(std::span<const FitRequest> requests) const;

    /// How many requests are best made at once.
    [[nodiscard]] virtual std::size_t at_once() const { return 1; }

    /// 100 * accuracy, rounded to two digits as the original rounds this classifier's scores.
    [[nodiscard]] virtual double percent(double accuracy) const = 0;
};

/// Throws base::UsageError, naming the setting, for an unknown classifier, optimiser or option.
std::unique_ptr<const Classifier> make_classifier(const Settings& settings,
                                                  const Kernels& kernels = learn::kernels());

} // namespace senteval::learn
