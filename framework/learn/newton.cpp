#include "learn/newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace senteval::learn {

namespace {

constexpr double sufficient = 1e-4;         // of the decrease that the slope promises
constexpr double least_accuracy = 0.1;      // of a Newton equation: its residual's share
constexpr double most_accuracy = 0.01;      // beyond which single precision gains nothing
constexpr std::size_t max_products = 500;   // with the Hessian, in one step
constexpr std::size_t max_halvings = 40;    // of one step
constexpr double indistinguishable = 1e-11; // of two values of the objective, relatively
constexpr std::size_t max_idle = 3;         // steps that change nothing beyond rounding

struct Point {
    arma::mat weights;
    arma::mat gradient;
    double value = 0;
};

double dot(const arma::mat& a, const arma::mat& b)
{
    return arma::dot(a, b);
}

/// Solves H step = -gradient until the residual is below `accuracy` of the gradient, both measured by
/// the preconditioner, or its largest component below `enough`.
arma::mat newton_step(LogisticLoss& loss,
                      Curvature& curvature,
                      double c,
                      const arma::mat& gradient,
                      double accuracy,
                      double enough)
{
    arma::mat step(arma::size(gradient), arma::fill::zeros);
    arma::mat residual = -gradient;
    arma::mat direction = residual;
    curvature.precondition(direction);
    double square = dot(residual, direction);
    const double target = accuracy * accuracy * square;
    arma::mat product;
    for (std::size_t i = 0; i < max_products; ++i) {
        loss.hessian_product(c, direction, product);
        curvature.count_product();
        const double bend = dot(direction, product);
        if (!(bend > 0)) // only rounding can do this: the objective is convex
            return i == 0 ? direction : step;
        const double length = square / bend;
        step += length * direction;
        residual -= length * product;
        arma::mat next = residual;
        curvature.precondition(next);
        const double next_square = dot(residual, next);
        if (!(next_square > target) || loss.largest(residual) <= enough)
            break;
        direction = next + next_square / square * direction;
        square = next_square;
    }
    return step;
}

/// Halves the step until the objective decreases. Where two values can no longer be told apart, the
/// slopes decide. Leaves the loss at `to`; false where nothing is gained.
bool search(LogisticLoss& loss, double c, const Point& from, const arma::mat& step, Point& to)
{
    const double slope = dot(from.gradient, step);
    if (!(slope < 0))
        return false;
    double length = 1;
    for (std::size_t i = 0; i < max_halvings; ++i, length /= 2) {
        to.weights = from.weights + length * step;
        to.value = loss.evaluate(c, to.weights, to.gradient);
        if (to.value <= from.value + sufficient * length * slope)
            return true;
        if (std::fabs(to.value - from.value) <= indistinguishable * std::fabs(from.value) &&
            std::fabs(dot(to.gradient, step)) <= -0.5 * slope)
            return true;
    }
    return false;
}

/// The gradient's length as the preconditioner measures it.
double length_of(const Curvature& curvature, const arma::mat& gradient)
{
    arma::mat scaled = gradient;
    curvature.precondition(scaled);
    return std::sqrt(std::max(dot(gradient, scaled), 0.0));
}

} // namespace

Minimum minimise(LogisticLoss& loss,
                 Curvature& curvature,
                 double c,
                 arma::mat start,
                 double tolerance,
                 std::size_t max_steps)
{
    Point now{std::move(start), {}, 0};
    now.value = loss.evaluate(c, now.weights, now.gradient);
    curvature.set_strength(c);
    Point next;
    Minimum result;
    double before = 0;
    std::size_t idle = 0;
    while (!(result.converged = loss.largest(now.gradient) <= tolerance) &&
           result.steps < max_steps) {
        curvature.refresh_if_worthwhile();
        // The nearer to the minimum, the better a quadratic describes the objective.
        const double length = length_of(curvature, now.gradient);
        const double accuracy =
            before == 0 ? least_accuracy
                        : std::clamp(length / before / 2, most_accuracy, least_accuracy);
        before = length;
        const arma::mat step =
            newton_step(loss, curvature, c, now.gradient, accuracy, 0.3 * tolerance);
        if (!search(loss, c, now, step, next)) {
            result.converged = std::fabs(dot(now.gradient, step)) <=
                               indistinguishable * (1 + std::fabs(now.value));
            break;
        }
        ++result.steps;
        const bool moves = next.value < now.value - indistinguishable * std::fabs(now.value) ||
                           loss.largest(next.gradient) < loss.largest(now.gradient) / 2;
        idle = moves ? 0 : idle + 1;
        std::swap(now, next);
        if (idle == max_idle) {
            result.converged = true;
            break;
        }
    }
    result.weights = std::move(now.weights);
    return result;
}

} // namespace senteval::learn
