// lbfgs.hpp -- minimises a smooth convex function (limited-memory BFGS: Nocedal and Wright, Numerical
// Optimization, 2nd edition, algorithms 7.4 and 7.5).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace senteval::learn {

/// The function's value at x; writes its gradient.
using Objective = std::function<double(std::span<const double> x, std::span<double> gradient)>;

/// Multiplies a direction in place by an approximation of the inverse Hessian.
using Preconditioner = std::function<void(std::span<double> direction)>;

struct Minimum {
    std::vector<double> x;
    double value = 0;
    std::size_t iterations = 0;
    bool converged = false; ///< the gradient's largest component is at most the tolerance
};

/// Starts at x. Ends too where rounding leaves nothing to gain, which counts as converged.
Minimum minimise(std::vector<double> x,
                 const Objective& objective,
                 const Preconditioner& precondition,
                 double tolerance,
                 std::size_t max_iterations);

} // namespace senteval::learn
