// newton.hpp -- minimises the objectives of logistic regressions by a truncated Newton method: each step solves the
// Newton equation by preconditioned conjugate gradients, only as far as is worth it (Lin, Weng and Keerthi, Trust
// region Newton method for large-scale logistic regression, JMLR 9, 2008; Nocedal and Wright, Numerical Optimization,
// 2nd edition, section 7.1).
#pragma once

#include "learn/logistic_loss.hpp"

#include <armadillo>

#include <cstddef>
#include <vector>

namespace senteval::learn {

struct Minimum {
    arma::mat weights;
    std::size_t steps = 0; ///< of Newton's method
    bool converged = false;
};

/// Minimises all problems of the loss, each as if it were alone but for rounding. Starts at `starts`, converges to where
/// the Newton decrement of the objective per item -- the root of twice what it lies above the minimum -- is at most the
/// tolerance, or rounding leaves nothing to gain.
std::vector<Minimum> minimise(LogisticLoss& loss,
                              std::vector<arma::mat> starts,
                              double tolerance,
                              std::size_t max_steps);

} // namespace senteval::learn
