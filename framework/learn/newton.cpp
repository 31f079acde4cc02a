#include "learn/newton.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace senteval::learn {

namespace {

constexpr double sufficient = 1e-4;         // of the decrease that the slope promises
constexpr double least_accuracy = 0.03;     // of a Newton equation: its residual's share
constexpr double most_accuracy = 0.003;     // beyond which single precision gains nothing
constexpr double enough = 0.1;              // of the square that counts as 0
constexpr std::size_t max_products = 500;   // with the Hessian, in one step
constexpr std::size_t max_halvings = 40;    // of one step
constexpr double indistinguishable = 1e-11; // of two values of the objective, relatively
constexpr std::size_t max_idle = 3;         // steps that change nothing beyond rounding

using Numbers = std::vector<std::size_t>;

/// A point for each problem.
struct Places {
    explicit Places(std::vector<arma::mat> at)
        : weights(std::move(at)), gradients(weights.size()), values(weights.size())
    {
    }

    void evaluate(LogisticLoss& loss, const Numbers& which)
    {
        loss.evaluate(which, weights, gradients, values);
    }

    std::vector<arma::mat> weights;
    std::vector<arma::mat> gradients;
    std::vector<double> values;
};

double dot(const arma::fmat& a, const arma::fmat& b)
{
    return static_cast<double>(arma::dot(a, b));
}

/// Takes all problems' steps side by side, for the products that they share.
class Newton {
public:
    Newton(LogisticLoss& loss, std::vector<arma::mat> starts, double tolerance)
        : loss_(loss),
          tolerance_(tolerance),
          now_(std::move(starts)),
          next_(std::vector<arma::mat>(loss.problems())),
          inverses_(loss.problems()),
          residuals_(loss.problems()),
          directions_(loss.problems()),
          squares_(loss.problems()),
          lengths_(loss.problems()),
          steps_(loss.problems()),
          idle_(loss.problems()),
          minima_(loss.problems())
    {
    }

    std::vector<Minimum> run(std::size_t max_steps)
    {
        Numbers open(loss_.problems());
        std::iota(open.begin(), open.end(), 0U);
        now_.evaluate(loss_, open);
        while (!open.empty()) {
            std::erase_if(open, [&](std::size_t p) {
                Minimum& found = minima_[p];
                found.converged = begin_step(p) || idle_[p] == max_idle;
                return found.converged || found.steps == max_steps;
            });
            solve(open);
            search(open);
        }
        for (std::size_t p = 0; p < minima_.size(); ++p)
            minima_[p].weights = std::move(now_.weights[p]);
        return std::move(minima_);
    }

private:
    /// Says whether the problem is at its minimum; else where the step begins.
    bool begin_step(std::size_t p)
    {
        inverses_[p] = loss_.inverse_of(p);
        residuals_[p] = arma::conv_to<arma::fmat>::from(-now_.gradients[p]);
        directions_[p] = loss_.precondition(inverses_[p], residuals_[p]);
        steps_[p].zeros(arma::size(residuals_[p]));
        squares_[p] = std::max(dot(residuals_[p], directions_[p]), 0.0);
        return squares_[p] <= small(p);
    }

    /// Solves H step = -gradient until the residual is a small enough share of the gradient, both measured by the
    /// approximate inverse. The nearer to the minimum, the better a quadratic describes the objective.
    void solve(const Numbers& open)
    {
        std::vector<double> targets(loss_.problems());
        for (const std::size_t p : open) {
            const double length = std::sqrt(squares_[p]);
            const double accuracy = lengths_[p] == 0 ? least_accuracy
                                                     : std::clamp(length / lengths_[p] / 2,
                                                                  most_accuracy, least_accuracy);
            lengths_[p] = length;
            targets[p] = std::max(accuracy * accuracy * squares_[p], enough * small(p));
        }
        std::vector<arma::fmat> products(loss_.problems());
        Numbers going = open;
        for (std::size_t i = 0; i < max_products && !going.empty(); ++i) {
            loss_.hessian_products(going, directions_, products);
            std::erase_if(going, [&](std::size_t p) {
                const double bend = dot(directions_[p], products[p]);
                if (!(bend > 0)) { // only rounding can do this: the objective is convex
                    if (i == 0)
                        steps_[p] = directions_[p];
                    return true;
                }
                const auto length = static_cast<float>(squares_[p] / bend);
                steps_[p] += length * directions_[p];
                residuals_[p] -= length * products[p];
                const arma::fmat ahead = loss_.precondition(inverses_[p], residuals_[p]);
                const double square = dot(residuals_[p], ahead);
                if (!(square > targets[p]))
                    return true;
                directions_[p] = ahead + static_cast<float>(square / squares_[p]) * directions_[p];
                squares_[p] = square;
                return false;
            });
        }
    }

    /// Halves the steps until the objectives decrease, and takes them. Where two values can no longer be told apart,
    /// the slopes decide. What gains nothing is no longer open.
    void search(Numbers& open)
    {
        std::vector<arma::mat> steps(loss_.problems());
        std::vector<double> slopes(loss_.problems());
        for (const std::size_t p : open) {
            steps[p] = arma::conv_to<arma::mat>::from(steps_[p]);
            slopes[p] = arma::dot(now_.gradients[p], steps[p]);
        }
        Numbers going = open;
        double length = 1;
        for (std::size_t i = 0; i < max_halvings && !going.empty(); ++i, length /= 2) {
            for (const std::size_t p : going)
                next_.weights[p] = now_.weights[p] + length * steps[p];
            next_.evaluate(loss_, going);
            std::erase_if(going, [&](std::size_t p) {
                const double change = next_.values[p] - now_.values[p];
                const bool lower = change <= sufficient * length * slopes[p];
                const bool level =
                    std::fabs(change) <= noise(p) &&
                    std::fabs(arma::dot(next_.gradients[p], steps[p])) <= -0.5 * slopes[p];
                const bool takes = slopes[p] < 0 && (lower || level);
                if (takes)
                    take(p);
                return takes;
            });
        }
        for (const std::size_t p : going) {
            std::erase(open, p);
            minima_[p].converged = std::fabs(slopes[p]) <= indistinguishable + noise(p);
        }
    }

    void take(std::size_t p)
    {
        ++minima_[p].steps;
        const bool moves =
            next_.values[p] < now_.values[p] - noise(p) ||
            arma::norm(next_.gradients[p], "fro") < arma::norm(now_.gradients[p], "fro") / 2;
        idle_[p] = moves ? 0 : idle_[p] + 1;
        std::swap(now_.weights[p], next_.weights[p]);
        std::swap(now_.gradients[p], next_.gradients[p]);
        std::swap(now_.values[p], next_.values[p]);
    }

    /// The square of a gradient that counts as 0.
    [[nodiscard]] double small(std::size_t p) const
    {
        return tolerance_ * tolerance_ * static_cast<double>(loss_.items(p));
    }

    [[nodiscard]] double noise(std::size_t p) const
    {
        return indistinguishable * std::fabs(now_.values[p]);
    }

    LogisticLoss& loss_;
    double tolerance_; ///< of the Newton decrement per item
    Places now_;
    Places next_;
    std::vector<LogisticLoss::Inverse> inverses_;
    std::vector<arma::fmat> residuals_;
    std::vector<arma::fmat> directions_;
    std::vector<double> squares_; ///< of the residuals, as the inverses measure them
    std::vector<double> lengths_; ///< of the last step's gradients, likewise
    std::vector<arma::fmat> steps_;
    std::vector<std::size_t> idle_;
    std::vector<Minimum> minima_;
};

} // namespace

std::vector<Minimum>
minimise(LogisticLoss& loss, std::vector<arma::mat> starts, double tolerance, std::size_t max_steps)
{
    return Newton(loss, std::move(starts), tolerance).run(max_steps);
}

} // namespace senteval::learn
