// logistic_regression.hpp -- the convex classifier: L2-regularised logistic regression, solved to
// convergence in double precision by a truncated Newton method (newton.hpp).
#pragma once

#include "learn/classifier.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace senteval::learn {

/// scikit-learn's LogisticRegression(C) since 0.22: minimises
///     sum over items of -log p(label) + |w|^2 / (2 C),
/// the intercepts not penalised; one sigmoid for two classes, a softmax over all for more. Strengths
/// are C: the larger, the weaker the penalty. The strengths of one call are solved in their order, each
/// from the minima before it, and sets of the same rows side by side. Products of matrices are those of BLAS.
class LogisticRegression : public Classifier {
public:
    /// Of the Newton decrement per item (newton.hpp): the sum above, divided by the items, is then about 1e-10 above its
    /// least, whatever the scale of the features, and no component of its gradient is larger than this times the
    /// largest feature.
    static constexpr double tolerance = 1e-5;

    explicit LogisticRegression(const Settings& settings);

    [[nodiscard]] std::vector<double> strengths(Protocol protocol, bool regularised) const override;

    /// Uses the dev items to measure the accuracy only; without them it is 0. Classes that no
    /// training item has are never predicted.
    [[nodiscard]] std::vector<Fit> fit(const FitRequest& request) const override;
    [[nodiscard]] std::vector<std::vector<Fit>>
    fit_all(std::span<const FitRequest> requests) const override;

    /// Products of matrices are faster for more columns; there are folds left for other threads.
    [[nodiscard]] std::size_t at_once() const override { return 5; }

    [[nodiscard]] double percent(double accuracy) const override;

private:
    std::size_t max_iterations_;
};

/// Weights of the classes, one row each: a weight for each feature, then the intercept. Two classes
/// have one row, that of the second.
class LogisticModel : public Model {
public:
    LogisticModel(std::vector<Label> classes, std::size_t inputs, std::vector<double> weights);

    [[nodiscard]] std::vector<Prediction>
    predict(const DesignMatrix& matrix, std::span<const std::uint32_t> rows) const override;

    [[nodiscard]] std::span<const double> weights() const noexcept { return weights_; }
    [[nodiscard]] std::span<const Label> classes() const noexcept { return classes_; }

private:
    std::vector<Label> classes_; ///< ascending
    std::size_t inputs_;
    std::vector<double> weights_;
};

} // namespace senteval::learn
