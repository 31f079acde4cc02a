// curvature.hpp -- an approximate inverse of a logistic regression's Hessian, cheap to apply.
#pragma once

#include "learn/logistic_loss.hpp"

#include <armadillo>

#include <cstddef>
#include <vector>

namespace senteval::learn {

/// The Hessian's diagonal blocks, one for each output: sum over the items of p (1 - p) x x' + 1 / C.
/// Blocks that would be too large are taken as equal to their mean, or as diagonal.
class Curvature {
public:
    /// Starts from the point where every class is as probable as the others: there all blocks are equal.
    explicit Curvature(LogisticLoss& loss);

    /// Takes the blocks anew where the loss was last evaluated -- once the products with the Hessian
    /// since the last time have cost as much as that does.
    void refresh_if_worthwhile();

    /// One product with the Hessian was computed.
    void count_product() noexcept { spent_ += product_cost_; }

    /// For the strength of the penalty that follows.
    void set_strength(double c);

    /// Multiplies a gradient by the inverse blocks, in place. Intercepts keep the sum 0 over a
    /// softmax's classes, which move the objective only against each other.
    void precondition(arma::mat& gradient) const;

private:
    enum class Form { blocks, mean, diagonal };

    void take_equal();
    void take_blocks();
    void take_mean();
    void factor();

    LogisticLoss& loss_;
    Form form_;
    double c_ = 1;
    double product_cost_; ///< multiplications
    double refresh_cost_;
    double spent_ = 0;
    std::vector<arma::mat> blocks_; ///< without the penalty
    std::vector<arma::mat> roots_;  ///< upper triangular R with R R' = the inverse block
    arma::mat diagonal_;            ///< by feature and output
};

} // namespace senteval::learn
