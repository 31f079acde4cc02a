// lbfgs.hpp -- minimises a smooth function by L-BFGS, with the line search, the tests and the constants of
// L-BFGS-B 3.0 without bounds (Byrd, Lu, Nocedal and Zhu 1995; Morales and Nocedal 2011): it stops where
// scipy's and scikit-learn's does.
#pragma once

#include <armadillo>

#include <cstddef>

namespace senteval::learn {

/// A function on a vector space. A vector may be given by more numbers than it has components: product()
/// and is_small() are about the components, everything else is linear in the numbers.
class Objective {
public:
    Objective() = default;
    Objective(const Objective&) = delete;
    Objective& operator=(const Objective&) = delete;
    Objective(Objective&&) = delete;
    Objective& operator=(Objective&&) = delete;
    virtual ~Objective() = default;

    /// Numbers of a vector.
    [[nodiscard]] virtual std::size_t size() const = 0;

    /// The value at x; writes the gradient.
    virtual double evaluate(const arma::vec& x, arma::vec& gradient) = 0;

    /// The inner product.
    [[nodiscard]] virtual double product(const arma::vec& u, const arma::vec& v) const = 0;

    /// Whether no component of v is larger than the limit.
    [[nodiscard]] virtual bool is_small(const arma::vec& v, double limit) const = 0;
};

/// When to stop. The defaults are those of scikit-learn's LogisticRegression since 1.4.
struct LbfgsLimits {
    std::size_t iterations = 100;
    double gradient = 1e-4;         ///< largest component
    double decrease = 64 * 0x1p-52; ///< of the value in an iteration, relative to it or to 1

    /// Goes on until the gradient is small, or rounding leaves nothing to gain.
    static LbfgsLimits converged() { return {100000, 1e-8, 0}; }
};

struct LbfgsMinimum {
    arma::vec x;
    std::size_t iterations = 0;
    bool converged = false; ///< the gradient is small; false where another limit came first
};

/// Starts at 0.
LbfgsMinimum minimise(Objective& objective, const LbfgsLimits& limits = {});

} // namespace senteval::learn
