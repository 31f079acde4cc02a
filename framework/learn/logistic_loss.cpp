#include "learn/logistic_loss.hpp"

#include "base/error.hpp"
#include "learn/kernels.hpp"
#include "learn/principal_axes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace senteval::learn {

namespace {

constexpr std::size_t block_rows = 1024; // which stay in the nearer caches

/// Columns of a matrix, without a copy.
template <typename T>
arma::Mat<T> columns(const arma::Mat<T>& of, std::size_t first, std::size_t count)
{
    return {const_cast<T*>(of.colptr(first)), of.n_rows, count, false, true};
}

/// Those in `which`, side by side.
template <typename T, typename From>
arma::Mat<T> joined(std::span<const std::size_t> which, std::span<const From> matrices)
{
    std::size_t count = 0;
    for (const std::size_t p : which)
        count += matrices[p].n_cols;
    arma::Mat<T> all(matrices[which[0]].n_rows, count);
    T* to = all.memptr();
    for (const std::size_t p : which)
        to = std::copy(matrices[p].begin(), matrices[p].end(), to);
    return all;
}

} // namespace

double logistic_losses(arma::mat& z, std::span<const std::uint32_t> codes)
{
    double sum = 0;
    if (z.n_cols == 1) {
        for (arma::uword i = 0; i < z.n_rows; ++i) {
            const double score = z(i, 0);
            const double small = std::exp(-std::abs(score));
            z(i, 0) = 0;
            if (codes[i] == no_class)
                continue;
            sum += std::log1p(small) + std::max(score, 0.0) - codes[i] * score;
            z(i, 0) = (score < 0 ? small : 1) / (1 + small) - codes[i];
        }
        return sum;
    }
    const arma::vec top = arma::max(z, 1);
    for (arma::uword i = 0; i < z.n_rows; ++i)
        sum += codes[i] == no_class ? 0 : top[i] - z(i, codes[i]);
    z.each_col() -= top;
    kernels().exponentials(z.memptr(), z.n_elem);
    arma::vec total = arma::sum(z, 1);
    for (arma::uword i = 0; i < z.n_rows; ++i)
        if (codes[i] == no_class) {
            total[i] = 1;
            z.row(i).zeros();
        }
    sum += arma::accu(arma::log(total));
    z.each_col() /= total;
    for (arma::uword i = 0; i < z.n_rows; ++i)
        if (codes[i] != no_class)
            z(i, codes[i]) -= 1;
    return sum;
}

LogisticLoss::LogisticLoss(std::span<const Examples> sets,
                           std::stop_token stop,
                           std::size_t max_kept)
    : matrix_(*sets[0].matrix),
      stop_(std::move(stop)),
      axes_(matrix_.principal_axes()),
      scale_(axes_.scale)
{
    for (const Examples& set : sets)
        rows_.insert(rows_.end(), set.rows.begin(), set.rows.end());
    std::sort(rows_.begin(), rows_.end());
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
    for (const Examples& set : sets)
        add_problem(set);

    const bool keeps = (matrix_.inputs() + 1) * rows_.size() <= max_kept;
    const bool rotates = axes_.axes.n_cols > 0;
    size_ = (keeps && rotates ? axes_.axes.n_cols : matrix_.inputs()) + 1;
    if (keeps)
        kept_.set_size(size_, rows_.size());
    else if (rotates)
        rotation_ = arma::conv_to<arma::fmat>::from(axes_.axes);
    squares_.zeros((rotates ? axes_.axes.n_cols : matrix_.inputs()) + 1);
    for (std::size_t first = 0; first < rows_.size(); first += block_rows) {
        arma::mat x = form(first, std::min(block_rows, rows_.size() - first));
        if (rotates) {
            const arma::mat ones = x.tail_rows(1);
            x = arma::join_cols(axes_.axes.t() * x.head_rows(matrix_.inputs()), ones);
        }
        squares_ += arma::sum(arma::square(x), 1);
        if (keeps)
            std::transform(x.begin(), x.end(), kept_.colptr(first),
                           [](double value) { return static_cast<float>(value); });
    }
    squares_ /= static_cast<double>(rows_.size());
}

void LogisticLoss::add_problem(const Examples& set)
{
    Targets targets = code_labels(set);
    const std::size_t classes = targets.classes.size();
    Problem problem{std::move(targets.classes),
                    std::vector<std::uint32_t>(rows_.size(), no_class),
                    set.rows.size(),
                    classes == 2 ? 1 : classes,
                    {}};
    for (std::size_t i = 0; i < set.rows.size(); ++i) {
        const auto at = std::lower_bound(rows_.begin(), rows_.end(), set.rows[i]) - rows_.begin();
        problem.codes[static_cast<std::size_t>(at)] = targets.codes[i];
    }
    problem.probability.zeros(rows_.size(), problem.outputs);
    problems_.push_back(std::move(problem));
}

/// The features of rows less their means, divided by the scale, and a last 1.
arma::mat LogisticLoss::form(std::size_t first, std::size_t count) const
{
    arma::mat x = features_of(matrix_, std::span(rows_).subspan(first, count));
    x.each_col() -= axes_.mean;
    x /= scale_;
    x.insert_rows(x.n_rows, arma::ones(1, count));
    return x;
}

template <typename Use>
void LogisticLoss::each_block(const Use& use) const
{
    for (std::size_t first = 0; first < rows_.size(); first += block_rows) {
        if (stop_.stop_requested())
            throw base::Cancelled();
        const std::size_t count = std::min(block_rows, rows_.size() - first);
        use(kept_.empty() ? arma::conv_to<arma::fmat>::from(form(first, count))
                          : columns(kept_, first, count),
            first);
    }
}

void LogisticLoss::evaluate(std::span<const std::size_t> which,
                            std::span<const arma::mat> weights,
                            std::span<arma::mat> gradients,
                            std::span<double> values)
{
    for (const std::size_t p : which) {
        gradients[p] = weights[p] * penalty_;
        gradients[p].row(size_ - 1).zeros();
        values[p] = arma::dot(gradients[p], weights[p]) / 2;
    }
    const auto all = joined<double>(which, weights);
    arma::mat sum(size_, all.n_cols, arma::fill::zeros);
    each_block([&](const arma::fmat& rows, std::size_t first) {
        const auto x = arma::conv_to<arma::mat>::from(rows);
        arma::mat z = x.t() * all;
        std::size_t column = 0;
        for (const std::size_t p : which) {
            Problem& problem = problems_[p];
            arma::mat own(z.colptr(column), z.n_rows, problem.outputs, false, true);
            const auto codes = std::span(problem.codes).subspan(first, z.n_rows);
            values[p] += logistic_losses(own, codes);
            keep_probabilities(own, problem, first);
            column += problem.outputs;
        }
        sum += x * z;
    });
    std::size_t column = 0;
    for (const std::size_t p : which) {
        gradients[p] += sum.cols(column, column + outputs(p) - 1);
        column += outputs(p);
    }
}

/// Of the derivatives of the losses, which are p, or p - 1 of the row's own class.
void LogisticLoss::keep_probabilities(const arma::mat& derivatives,
                                      Problem& problem,
                                      std::size_t first)
{
    const bool sigmoid = problem.outputs == 1;
    for (std::size_t c = 0; c < derivatives.n_cols; ++c) {
        float* const p = problem.probability.colptr(c) + first;
        for (std::size_t i = 0; i < derivatives.n_rows; ++i) {
            const double d = derivatives(i, c);
            p[i] = static_cast<float>(sigmoid ? std::abs(d) * (1 - std::abs(d))
                                      : d < 0 ? 1 + d
                                              : d);
        }
    }
}

/// Scores s of a direction become diag(p) s - p p' s, row by row. Taken less that of the row's own class, on which the
/// sum does not depend, they do not cancel where its p is nearly 1.
void LogisticLoss::apply_curvature(arma::fmat& z, const Problem& problem, std::size_t first)
{
    const std::size_t count = z.n_rows;
    if (z.n_cols == 1) {
        z %= problem.probability.rows(first, first + count - 1);
        return;
    }
    float own[block_rows];
    float mean[block_rows] = {};
    for (std::size_t i = 0; i < count; ++i)
        own[i] = problem.codes[first + i] == no_class ? 0 : z(i, problem.codes[first + i]);
    for (std::size_t c = 0; c < z.n_cols; ++c) {
        const float* const p = problem.probability.colptr(c) + first;
        float* const s = z.colptr(c);
        for (std::size_t i = 0; i < count; ++i) {
            s[i] -= own[i];
            mean[i] += p[i] * s[i];
        }
    }
    for (std::size_t c = 0; c < z.n_cols; ++c) {
        const float* const p = problem.probability.colptr(c) + first;
        float* const s = z.colptr(c);
        for (std::size_t i = 0; i < count; ++i)
            s[i] = p[i] * (s[i] - mean[i]);
    }
}

void LogisticLoss::hessian_products(std::span<const std::size_t> which,
                                    std::span<const arma::fmat> directions,
                                    std::span<arma::fmat> products)
{
    const auto all = joined<float>(which, directions);
    arma::fmat sum = all * static_cast<float>(penalty_);
    sum.row(size_ - 1).zeros();
    each_block([&](const arma::fmat& x, std::size_t first) {
        arma::fmat z = x.t() * all;
        std::size_t column = 0;
        for (const std::size_t p : which) {
            arma::fmat own(z.colptr(column), z.n_rows, outputs(p), false, true);
            apply_curvature(own, problems_[p], first);
            column += outputs(p);
        }
        sum += x * z;
    });
    std::size_t column = 0;
    for (const std::size_t p : which) {
        products[p] = sum.cols(column, column + outputs(p) - 1);
        column += outputs(p);
    }
}

LogisticLoss::Inverse LogisticLoss::inverse_of(std::size_t p) const
{
    const Problem& problem = problems_[p];
    arma::mat curvature;
    if (problem.outputs == 1) {
        curvature = arma::accu(arma::conv_to<arma::mat>::from(problem.probability));
    } else {
        curvature = -arma::conv_to<arma::mat>::from(problem.probability.t() * problem.probability);
        curvature.diag().zeros();
        curvature.diag() = -arma::sum(curvature, 1); // p (1 - p) is p times the others'
    }
    arma::vec values;
    arma::mat vectors;
    arma::eig_sym(values, vectors, curvature);
    arma::mat diagonal = squares_ * arma::clamp(values, 0, arma::datum::inf).t();
    diagonal.head_rows(diagonal.n_rows - 1) += penalty_;
    diagonal.transform([](double value) { return value > 0 ? 1 / value : 0.0; });
    if (problem.outputs > 1)
        diagonal.col(0).zeros(); // of all classes alike, which moves nothing
    return {arma::conv_to<arma::fmat>::from(vectors), arma::conv_to<arma::fmat>::from(diagonal)};
}

arma::fmat LogisticLoss::precondition(const Inverse& inverse, const arma::fmat& gradient) const
{
    if (rotation_.empty())
        return ((gradient * inverse.classes) % inverse.factors) * inverse.classes.t();
    const arma::fmat along =
        arma::join_cols(rotation_.t() * gradient.head_rows(size_ - 1), gradient.tail_rows(1));
    const arma::fmat solved = ((along * inverse.classes) % inverse.factors) * inverse.classes.t();
    return arma::join_cols(rotation_ * solved.head_rows(rotation_.n_cols), solved.tail_rows(1));
}

arma::mat LogisticLoss::of_features(const arma::mat& weights) const
{
    arma::mat features = weights.head_rows(size_ - 1) / scale_;
    if (!kept_.empty() && axes_.axes.n_cols > 0)
        features = axes_.axes * features;
    arma::mat intercepts = weights.tail_rows(1) - axes_.mean.t() * features;
    if (intercepts.n_elem > 1)
        intercepts -= arma::accu(intercepts) / static_cast<double>(intercepts.n_elem);
    return arma::join_cols(features, intercepts);
}

} // namespace senteval::learn
