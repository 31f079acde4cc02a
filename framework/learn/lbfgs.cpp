#include "learn/lbfgs.hpp"

#include "learn/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

namespace senteval::learn {

namespace {

/// The last iterations, and the curvature that they show.
class History {
public:
    explicit History(const Objective& objective) : objective_(objective) {}

    [[nodiscard]] bool empty() const noexcept { return pairs_.empty(); }
    void clear() { pairs_.clear(); }

    /// Adds an iteration: its step, the change of the gradient, and their product.
    void add(arma::vec step, arma::vec change, double product)
    {
        constexpr std::size_t most = 10;
        if (pairs_.size() == most)
            pairs_.pop_front();
        scale_ = product / objective_.product(change, change);
        pairs_.push_back({std::move(step), std::move(change), product});
    }

    /// Minus the gradient times an approximate inverse of the Hessian (Nocedal and Wright, Numerical
    /// Optimization, 2nd edition, algorithm 7.4).
    void direction(const arma::vec& gradient, arma::vec& out) const
    {
        out = -gradient;
        std::vector<double> shares(pairs_.size());
        for (std::size_t i = pairs_.size(); i-- > 0;) {
            shares[i] = objective_.product(pairs_[i].step, out) / pairs_[i].product;
            out -= shares[i] * pairs_[i].change;
        }
        if (!pairs_.empty())
            out *= scale_;
        for (std::size_t i = 0; i < pairs_.size(); ++i)
            out += (shares[i] - objective_.product(pairs_[i].change, out) / pairs_[i].product) *
                   pairs_[i].step;
    }

private:
    struct Pair {
        arma::vec step;
        arma::vec change;
        double product;
    };

    const Objective& objective_;
    std::deque<Pair> pairs_;
    double scale_ = 1;
};

struct Iterate {
    arma::vec x;
    arma::vec gradient;
    double value = 0;
};

/// Moves along the direction to where it is low enough: the step taken, or 0 where none was found.
double search(Objective& objective,
              const Iterate& from,
              const arma::vec& direction,
              double slope,
              double first_step,
              Iterate& to)
{
    constexpr int most_evaluations = 50; // scikit-learn's
    LineSearch search({0, from.value, slope}, first_step);
    for (int i = 0; i < most_evaluations; ++i) {
        const double step = search.step();
        to.x = from.x + step * direction;
        to.value = objective.evaluate(to.x, to.gradient);
        if (search.accepts(to.value, objective.product(to.gradient, direction)))
            return step;
    }
    return 0;
}

} // namespace

LbfgsMinimum minimise(Objective& objective, const LbfgsLimits& limits)
{
    Iterate now{arma::vec(objective.size(), arma::fill::zeros), {}, 0};
    now.value = objective.evaluate(now.x, now.gradient);
    Iterate next;
    arma::vec direction;
    History history(objective);
    std::size_t iterations = 0;
    bool converged = objective.is_small(now.gradient, limits.gradient);
    while (!converged && iterations < limits.iterations) {
        history.direction(now.gradient, direction);
        const double slope = objective.product(now.gradient, direction);
        const double first_step =
            iterations == 0 ? 1 / std::sqrt(objective.product(direction, direction)) : 1;
        const double step =
            slope < 0 ? search(objective, now, direction, slope, first_step, next) : 0;
        if (step == 0) {
            if (history.empty())
                break;
            history.clear(); // and down the gradient
            continue;
        }
        ++iterations;
        std::swap(now, next);
        converged = objective.is_small(now.gradient, limits.gradient);
        const double scale = std::max({std::abs(now.value), std::abs(next.value), 1.0});
        if (next.value - now.value <= limits.decrease * scale)
            break;
        arma::vec change = now.gradient - next.gradient;
        const double product = step * objective.product(change, direction);
        if (product > std::numeric_limits<double>::epsilon() * -slope * step)
            history.add(step * direction, std::move(change), product);
    }
    return {std::move(now.x), iterations, converged};
}

} // namespace senteval::learn
