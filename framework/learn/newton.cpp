#include "learn/newton.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace senteval::learn {

namespace {

constexpr std::size_t max_block_size = 1536;
constexpr std::size_t max_blocks_numbers = std::size_t{1} << 23;
constexpr double negligible = 1e-3; // of the largest weight of an output

/// A triangular R with R R' = the inverse of `block`, which rounding may leave not quite positive
/// definite.
arma::mat inverse_root(arma::mat block)
{
    const double top = block.diag().max();
    block.diag() += std::max(1e-12 * top, 1e-100);
    arma::mat factor;
    arma::mat root;
    for (double ridge = 1e-10 * top; ridge <= top; ridge *= 100) {
        if (arma::chol(factor, block) && arma::inv(root, arma::trimatu(factor)))
            return root;
        block.diag() += ridge;
    }
    throw base::Error("the features' products are too large for the classifier");
}

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

Curvature::Curvature(LogisticLoss& loss) : loss_(loss)
{
    const auto items = static_cast<double>(loss.items());
    const auto size = static_cast<double>(loss.size());
    const auto outputs = static_cast<double>(loss.outputs());
    form_ = loss.size() > max_block_size                                      ? Form::diagonal
            : loss.size() * loss.size() * loss.outputs() > max_blocks_numbers ? Form::mean
                                                                              : Form::blocks;
    product_cost_ = 2 * items * size * outputs;
    refresh_cost_ = form_ == Form::diagonal ? product_cost_
                    : form_ == Form::mean   ? items * size * size
                                            : items * size * size * outputs;
    if (form_ == Form::diagonal) {
        spent_ = refresh_cost_;
        return;
    }
    const double p =
        loss.outputs() == 1 ? 0.5 : 1 / outputs; // every class as probable as the others
    add_all(std::vector<double>(loss.items(), p * (1 - p)));
}

void Curvature::refresh_if_worthwhile()
{
    if (spent_ < refresh_cost_)
        return;
    spent_ = 0;
    if (form_ == Form::diagonal) {
        loss_.diagonal(diagonal_);
        return;
    }
    if (form_ == Form::mean) {
        std::vector<double> means(loss_.items());
        for (std::size_t i = 0; i < means.size(); ++i) {
            for (std::size_t k = 0; k < loss_.outputs(); ++k)
                means[i] += loss_.weight(i, k);
            means[i] /= static_cast<double>(loss_.outputs());
        }
        add_all(means);
    } else {
        take_blocks();
    }
    factor();
}

/// One block of all items, in place of one for each output.
void Curvature::add_all(std::span<const double> weights)
{
    std::vector<std::uint32_t> items(weights.size());
    std::iota(items.begin(), items.end(), 0U);
    blocks_.assign(1, arma::mat(loss_.size(), loss_.size(), arma::fill::zeros));
    loss_.add_products(items, weights, blocks_[0]);
}

void Curvature::take_blocks()
{
    blocks_.resize(loss_.outputs());
    std::vector<std::uint32_t> items;
    std::vector<double> weights;
    std::vector<double> all(loss_.items());
    double products = 0;
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = loss_.weight(i, k);
        const double least = negligible * *std::max_element(all.begin(), all.end());
        items.clear();
        weights.clear();
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i] > least) {
                items.push_back(static_cast<std::uint32_t>(i));
                weights.push_back(all[i]);
            }
        products += static_cast<double>(items.size());
        blocks_[k].zeros(loss_.size(), loss_.size());
        loss_.add_products(items, weights, blocks_[k]);
    }
    const auto size = static_cast<double>(loss_.size());
    refresh_cost_ = (products + static_cast<double>(blocks_.size()) * size) * size * size;
}

void Curvature::set_strength(double c)
{
    c_ = c;
    factor();
}

void Curvature::factor()
{
    roots_.clear();
    for (const arma::mat& block : blocks_) {
        arma::mat penalised = block;
        penalised.submat(0, 0, loss_.size() - 2, loss_.size() - 2).diag() += 1 / c_;
        roots_.push_back(inverse_root(std::move(penalised)));
    }
}

void Curvature::precondition(arma::mat& gradient) const
{
    if (form_ == Form::diagonal) {
        arma::mat penalised = diagonal_;
        penalised.head_rows(loss_.size() - 1) += 1 / c_;
        gradient /= penalised;
    } else if (roots_.size() == 1) {
        gradient = roots_[0] * (roots_[0].t() * gradient);
    } else {
        for (std::size_t k = 0; k < roots_.size(); ++k)
            gradient.col(k) = roots_[k] * (roots_[k].t() * gradient.col(k));
    }
    if (loss_.outputs() > 1)
        gradient.row(loss_.size() - 1) -= arma::mean(gradient.row(loss_.size() - 1));
}

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
