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
/// from the minima before it. Products of matrices in double precision are those of the BLAS library.
class LogisticRegression : public Classifier {
public:
    /// Each minimum's gradient of the sum above has no component larger than this, unless it is lost
    /// in rounding (features of 1e4 and more).
    static constexpr double tolerance = 1e-5;

    explicit LogisticRegression(const Settings& settings);

    [[nodiscard]] std::vector<double> strengths(Protocol protocol, bool regularised) const override;

    /// Uses the dev items to measure the accuracy only; without them it is 0. Classes that no
    /// training item has are never predicted.
    [[nodiscard]] std::vector<Fit> fit(const FitRequest& request) const override;

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
