#include "learn/lbfgs.hpp"

#include <cmath>
#include <deque>

namespace senteval::learn {

namespace {

constexpr std::size_t memory = 10;          // pairs kept, as SciPy's default
constexpr double sufficient = 1e-4;         // of the decrease that the slope promises
constexpr double curvature = 0.9;           // of the slope that may remain
constexpr std::size_t max_evaluations = 40; // in one line search

double dot(std::span<const double> a, std::span<const double> b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

double largest(std::span<const double> a)
{
    double top = 0;
    for (const double x : a)
        top = std::max(top, std::fabs(x));
    return top;
}

void add(double factor, std::span<const double> a, std::span<double> to)
{
    for (std::size_t i = 0; i < a.size(); ++i)
        to[i] += factor * a[i];
}

/// A step and the change of the gradient along it.
struct Pair {
    std::vector<double> step;
    std::vector<double> change;
    double product;
};

/// Two-loop recursion: minus the approximate inverse Hessian times the gradient.
std::vector<double> direction(std::span<const double> gradient,
                              const std::deque<Pair>& pairs,
                              const Preconditioner& precondition)
{
    std::vector<double> d(gradient.begin(), gradient.end());
    std::vector<double> alpha(pairs.size());
    for (std::size_t i = pairs.size(); i-- > 0;) {
        alpha[i] = dot(pairs[i].step, d) / pairs[i].product;
        add(-alpha[i], pairs[i].change, d);
    }
    precondition(d);
    for (std::size_t i = 0; i < pairs.size(); ++i)
        add(alpha[i] - dot(pairs[i].change, d) / pairs[i].product, pairs[i].step, d);
    for (double& x : d)
        x = -x;
    return d;
}

struct Point {
    std::vector<double> x;
    std::vector<double> gradient;
    double value = 0;
};

/// A point along d that satisfies the weak Wolfe conditions, by bisection; false where none is found.
bool search(const Objective& objective, const Point& from, std::span<const double> d, Point& to)
{
    const double slope = dot(from.gradient, d);
    double low = 0;
    double high = 0; // 0: none yet
    double length = 1;
    for (std::size_t evaluation = 0; evaluation < max_evaluations; ++evaluation) {
        to.x = from.x;
        add(length, d, to.x);
        to.value = objective(to.x, to.gradient);
        if (!(to.value <= from.value + sufficient * length * slope))
            high = length;
        else if (dot(to.gradient, d) < curvature * slope)
            low = length;
        else
            return true;
        length = high > 0 ? (low + high) / 2 : 2 * low;
    }
    return false;
}

} // namespace

Minimum minimise(std::vector<double> x,
                 const Objective& objective,
                 const Preconditioner& precondition,
                 double tolerance,
                 std::size_t max_iterations)
{
    Point now{std::move(x), {}, 0};
    now.gradient.resize(now.x.size());
    now.value = objective(now.x, now.gradient);
    Point next = now;
    std::deque<Pair> pairs;
    Minimum result;
    while (!(result.converged = largest(now.gradient) <= tolerance) &&
           result.iterations < max_iterations) {
        const std::vector<double> d = direction(now.gradient, pairs, precondition);
        if (!search(objective, now, d, next)) {
            if (pairs.empty()) {
                result.converged = true;
                break;
            }
            pairs.clear(); // once more from the preconditioner alone
            continue;
        }
        ++result.iterations;
        Pair pair{next.x, next.gradient, 0};
        add(-1, now.x, pair.step);
        add(-1, now.gradient, pair.change);
        pair.product = dot(pair.step, pair.change);
        if (pair.product > 0) {
            if (pairs.size() == memory)
                pairs.pop_front();
            pairs.push_back(std::move(pair));
        }
        std::swap(now, next);
    }
    result.x = std::move(now.x);
    result.value = now.value;
    return result;
}

} // namespace senteval::learn
