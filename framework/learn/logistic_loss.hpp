// logistic_loss.hpp -- the objectives of L2-regularised logistic regressions whose training sets are of the same rows:
// values, gradients in double precision, and curvatures. What all need of the rows is computed in one product.
#pragma once

#include "learn/classifier.hpp"
#include "learn/design_matrix.hpp"

#include <armadillo>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace senteval::learn {

inline constexpr auto no_class = static_cast<std::uint32_t>(-1); ///< of items that do not count

/// Scores, items x outputs, become the derivatives of the losses -log p(class) by them; gives the sum of the losses. One
/// output is a sigmoid's, of the second class.
double logistic_losses(arma::mat& z, std::span<const std::uint32_t> codes);

/// Problem p is that of weights W, size() x outputs(p) with the intercepts in the last row:
///     sum over its items of -log p(label) + |W without intercepts|^2 penalty / 2
/// with one sigmoid for two classes (W is that of the second), a softmax over all for more.
///
/// The features are taken less their means over the whole matrix, along the principal axes of its rows, and divided by
/// a scale. That leaves the minimum as it is -- the intercepts, which are not penalised, take up the means, and the
/// length of weights does not depend on the axes -- and makes it far easier to find.
///
/// Not for several threads at once. Throws base::Cancelled from any long function soon after a stop was requested.
class LogisticLoss {
public:
    static constexpr std::size_t default_max_kept = std::size_t{1} << 26; ///< 256 MiB

    /// `sets`: of one matrix; what they refer to must outlive the loss. Rows are kept along the axes where they are at
    /// most max_kept numbers, and formed anew, as features, for each product where they are more.
    LogisticLoss(std::span<const Examples> sets,
                 std::stop_token stop,
                 std::size_t max_kept = default_max_kept);

    [[nodiscard]] std::size_t size() const noexcept { return size_; } ///< coordinates and intercept
    [[nodiscard]] std::size_t problems() const noexcept { return problems_.size(); }
    [[nodiscard]] std::size_t items(std::size_t p) const { return problems_[p].items; }
    [[nodiscard]] std::size_t outputs(std::size_t p) const { return problems_[p].outputs; }
    [[nodiscard]] const std::vector<Label>& classes(std::size_t p) const
    {
        return problems_[p].classes;
    }

    /// Sets the strength of the penalties that follow: 1 / C of scikit-learn's.
    void set_penalty(double penalty) { penalty_ = penalty / (scale_ * scale_); }

    /// The objectives of the problems in `which` at their weights; writes their gradients.
    void evaluate(std::span<const std::size_t> which,
                  std::span<const arma::mat> weights,
                  std::span<arma::mat> gradients,
                  std::span<double> values);

    /// Hessians, at the weights of the last evaluation, times directions: in single precision.
    void hessian_products(std::span<const std::size_t> which,
                          std::span<const arma::fmat> directions,
                          std::span<arma::fmat> products);

    /// An approximation of the inverse Hessian, cheap to apply: as if how sure the model is of an item had nothing to
    /// do with the item's features. The Hessian then is the product of the mean squares of the features and of the
    /// mean curvature of the classes.
    struct Inverse {
        arma::fmat classes; ///< directions in which the mean curvature is diagonal
        arma::fmat factors; ///< size x outputs
    };
    [[nodiscard]] Inverse inverse_of(std::size_t p) const;
    [[nodiscard]] arma::fmat precondition(const Inverse& inverse, const arma::fmat& gradient) const;

    /// The weights of the features as they are, intercepts with the sum 0 over a softmax's classes.
    [[nodiscard]] arma::mat of_features(const arma::mat& weights) const;

private:
    struct Problem {
        std::vector<Label> classes;
        std::vector<std::uint32_t> codes; ///< of each row, from 0, or no_class
        std::size_t items;
        std::size_t outputs;
        arma::fmat
            probability; ///< rows x outputs; of one sigmoid p (1 - p); of other problems' rows 0
    };

    void add_problem(const Examples& set);
    [[nodiscard]] arma::mat form(std::size_t first, std::size_t count) const;
    /// Calls use(x, first) with the rows as columns, block by block.
    template <typename Use>
    void each_block(const Use& use) const;
    static void
    keep_probabilities(const arma::mat& derivatives, Problem& problem, std::size_t first);
    static void apply_curvature(arma::fmat& z, const Problem& problem, std::size_t first);

    const DesignMatrix& matrix_;
    std::stop_token stop_;
    const PrincipalAxes& axes_;
    double scale_;
    std::vector<std::uint32_t> rows_; ///< of any problem
    std::vector<Problem> problems_;
    std::size_t size_;
    double penalty_ = 1;
    arma::fmat kept_;     ///< the rows along the axes as columns, with a last 1; empty: too many
    arma::fmat rotation_; ///< axes of rows that are not kept
    arma::vec squares_;   ///< means over the rows, along the axes
};

} // namespace senteval::learn
