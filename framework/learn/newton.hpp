// newton.hpp -- minimises a logistic regression's objective by a truncated Newton method: each step
// solves the Newton equation by preconditioned conjugate gradients, only as far as is worth it (Lin, Weng
// and Keerthi, Trust region Newton method for large-scale logistic regression, JMLR 9, 2008; Nocedal and
// Wright, Numerical Optimization, 2nd edition, section 7.1).
#pragma once

#include "learn/curvature.hpp"
#include "learn/logistic_loss.hpp"

#include <armadillo>

#include <cstddef>

namespace senteval::learn {

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
