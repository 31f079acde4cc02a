// newton.hpp -- minimises a logistic regression's objective by a truncated Newton method: each step
// solves the Newton equation by preconditioned conjugate gradients, only as far as is worth it (Lin, Weng
// and Keerthi, Trust region Newton method for large-scale logistic regression, JMLR 9, 2008; Nocedal and
// Wright, Numerical Optimization, 2nd edition, section 7.1).
#pragma once

#include "learn/logistic_loss.hpp"

#include <armadillo>

#include <cstddef>
#include <span>
#include <vector>

namespace senteval::learn {

/// An approximate inverse of the Hessian, cheap to apply.
///
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

    /// Sets the strength of the penalty that follows.
    void set_strength(double c);

    /// Multiplies a gradient by the inverse blocks, in place. Intercepts keep the sum 0 over a
    /// softmax's classes, which move the objective only against each other.
    void precondition(arma::mat& gradient) const;

private:
    enum class Form { blocks, mean, diagonal };

    void add_all(std::span<const double> weights);
    void take_blocks();
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

struct Minimum {
    arma::mat weights;
    std::size_t steps = 0;  ///< of Newton's method
    bool converged = false; ///< the gradient's largest component is at most the tolerance
};

/// Starts at `start`. Ends too where rounding leaves nothing to gain, which counts as converged.
Minimum minimise(LogisticLoss& loss,
                 Curvature& curvature,
                 double c,
                 arma::mat start,
                 double tolerance,
                 std::size_t max_steps);

} // namespace senteval::learn
