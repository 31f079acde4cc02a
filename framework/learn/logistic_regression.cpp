#include "learn/logistic_regression.hpp"

#include "core/error.hpp"
#include "learn/design_matrix.hpp"
#include "learn/lbfgs.hpp"
#include "learn/rounding.hpp"

#include <armadillo>

#include <algorithm>
#include <cmath>

namespace senteval::learn {

namespace {

constexpr double tolerance = 1e-5;                     // of the largest component of the gradient
constexpr std::size_t block_rows = 128;                // converted to double precision at a time
constexpr std::size_t max_factored_size = 1536;        // parameters of one class
constexpr std::size_t max_kept = std::size_t{1} << 25; // numbers kept in double precision

/// Calls use(x, first) with blocks of rows as columns of a double matrix ((inputs + 1) x rows).
template <typename Use>
void each_block_of(const DesignMatrix& matrix, std::span<const std::uint32_t> rows, const Use& use)
{
    const std::size_t size = matrix.inputs() + 1;
    DesignMatrix::Batch batch(matrix, block_rows);
    arma::mat block(size, block_rows);
    for (std::size_t begin = 0; begin < rows.size(); begin += block_rows) {
        batch.load(rows.subspan(begin, std::min(block_rows, rows.size() - begin)));
        for (std::size_t i = 0; i < batch.size(); ++i)
            std::copy_n(batch.rows().rows[i], size, block.colptr(i));
        const arma::mat x(block.memptr(), size, batch.size(), false, true);
        use(x, begin);
    }
}

/// The classes of the training items, ascending, and the place of each item's class among them.
struct Targets {
    std::vector<Label> classes;
    std::vector<std::uint32_t> codes;
};

Targets code_labels(const Examples& train)
{
    Targets targets;
    for (const std::uint32_t row : train.rows)
        targets.classes.push_back(train.labels[row]);
    std::sort(targets.classes.begin(), targets.classes.end());
    targets.classes.erase(std::unique(targets.classes.begin(), targets.classes.end()),
                          targets.classes.end());
    for (const std::uint32_t row : train.rows) {
        const auto at =
            std::lower_bound(targets.classes.begin(), targets.classes.end(), train.labels[row]);
        targets.codes.push_back(static_cast<std::uint32_t>(at - targets.classes.begin()));
    }
    return targets;
}

/// Turns the score of one sigmoid into the gradient of the loss; returns the loss.
double sigmoid_loss(double& z, bool positive)
{
    const double margin = positive ? z : -z;
    const double e = std::exp(-std::fabs(margin));
    const double wrong = (margin > 0 ? e : 1.0) / (1 + e); // probability of the other class
    z = positive ? -wrong : wrong;
    return std::log1p(e) + std::max(-margin, 0.0);
}

/// The same for the scores of all classes under a softmax.
double softmax_loss(double* z, std::size_t classes, std::uint32_t label)
{
    const double top = *std::max_element(z, z + classes);
    const double of_label = z[label] - top;
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c)
        sum += z[c] = std::exp(z[c] - top);
    for (std::size_t c = 0; c < classes; ++c)
        z[c] /= sum;
    z[label] -= 1;
    return std::log(sum) - of_label;
}

/// The problem of one training set, for every C.
class Problem {
public:
    Problem(const FitRequest& request, const Targets& targets)
        : request_(request),
          targets_(targets),
          size_(request.train.matrix->inputs() + 1),
          outputs_(targets.classes.size() == 2 ? 1 : targets.classes.size())
    {
        if (size_ * request.train.rows.size() <= max_kept)
            each_block_of(*request.train.matrix, request.train.rows,
                          [&](const arma::mat& x, std::size_t) { kept_.emplace_back(x); });
        if (size_ <= max_factored_size) {
            gram_.zeros(size_, size_);
            each_block([&](const arma::mat& x, std::size_t) { gram_ += x * x.t(); });
        } else {
            diagonal_.zeros(size_);
            each_block([&](const arma::mat& x, std::size_t) { diagonal_ += sum(square(x), 1); });
        }
    }

    [[nodiscard]] std::size_t parameters() const noexcept { return size_ * outputs_; }

    Minimum solve(double c, std::vector<double> start, std::size_t max_iterations)
    {
        const Objective objective = [&](std::span<const double> x, std::span<double> gradient) {
            return evaluate(c, x, gradient);
        };
        return minimise(std::move(start), objective, preconditioner(c), tolerance, max_iterations);
    }

private:
    /// Calls use(x, first) with blocks of the training rows.
    template <typename Use>
    void each_block(const Use& use) const
    {
        if (kept_.empty())
            return each_block_of(*request_.train.matrix, request_.train.rows, use);
        std::size_t first = 0;
        for (const arma::mat& x : kept_) {
            use(x, first);
            first += x.n_cols;
        }
    }

    double evaluate(double c, std::span<const double> parameters, std::span<double> gradient)
    {
        if (request_.stop.stop_requested())
            throw core::Cancelled();
        const arma::mat w(const_cast<double*>(parameters.data()), size_, outputs_, false, true);
        arma::mat g(gradient.data(), size_, outputs_, false, true);
        g = w / c;
        g.row(size_ - 1).zeros();
        double loss = arma::dot(w.head_rows(size_ - 1), w.head_rows(size_ - 1)) / (2 * c);
        each_block([&](const arma::mat& x, std::size_t first) {
            arma::mat z = w.t() * x;
            for (std::size_t i = 0; i < x.n_cols; ++i)
                loss += outputs_ == 1
                            ? sigmoid_loss(z(0, i), targets_.codes[first + i] == 1)
                            : softmax_loss(z.colptr(i), outputs_, targets_.codes[first + i]);
            g += x * z.t();
        });
        return loss;
    }

    /// The inverse Hessian at w = 0, where every class has the same probability: for each class that
    /// of X X' p + 1 / C with p = 1/4 for the sigmoid and 1 / classes for the softmax (whose weights
    /// keep the sum 0 over the classes).
    Preconditioner preconditioner(double c)
    {
        const double p = outputs_ == 1 ? 0.25 : 1 / static_cast<double>(outputs_);
        if (gram_.empty()) {
            const arma::vec hessian = diagonal_ * p + 1 / c;
            return [this, hessian](std::span<double> d) {
                arma::mat view(d.data(), size_, outputs_, false, true);
                view.each_col() /= hessian;
            };
        }
        arma::mat hessian = gram_ * p;
        hessian.diag() += 1 / c;
        arma::mat factor;
        if (!arma::chol(factor, hessian))
            throw core::Error("the features' products are too large for the solver");
        return [this, factor](std::span<double> d) {
            arma::mat view(d.data(), size_, outputs_, false, true);
            const arma::mat half = arma::solve(arma::trimatl(factor.t()), view);
            view = arma::solve(arma::trimatu(factor), half);
        };
    }

    const FitRequest& request_;
    const Targets& targets_;
    std::size_t size_;
    std::size_t outputs_;
    std::vector<arma::mat> kept_; ///< all blocks, where they are small enough
    arma::mat gram_;              ///< empty: too large
    arma::vec diagonal_;
};

double accuracy_on(const Model& model, const Examples& dev)
{
    if (dev.rows.empty())
        return 0;
    const std::vector<Prediction> predictions = model.predict(*dev.matrix, dev.rows);
    std::size_t correct = 0;
    for (std::size_t i = 0; i < predictions.size(); ++i)
        correct += predictions[i].label == dev.labels[dev.rows[i]] ? 1 : 0;
    return static_cast<double>(correct) / static_cast<double>(predictions.size());
}

} // namespace

LogisticRegression::LogisticRegression(const Settings& settings)
    : max_iterations_(settings.max_iterations)
{
    if (max_iterations_ == 0)
        throw core::UsageError("max_iterations must be at least 1");
}

std::vector<double> LogisticRegression::strengths(Protocol protocol, bool regularised) const
{
    if (!regularised)
        return {1e9};
    if (protocol == Protocol::kfold)
        return {0.5, 1, 2, 4, 8, 16, 32};
    return {0.25, 0.5, 1, 2, 4, 8};
}

double LogisticRegression::percent(double accuracy) const
{
    return round_numpy(100 * accuracy);
}

std::vector<Fit> LogisticRegression::fit(const FitRequest& request) const
{
    const Targets targets = code_labels(request.train);
    const std::size_t inputs = request.train.matrix->inputs();
    Problem problem(request, targets);
    std::vector<Fit> fits;
    std::vector<double> start(problem.parameters());
    for (const double c : request.strengths) {
        // Each C starts from the minimum of the one before it, which is near.
        const Minimum minimum = problem.solve(c, start, max_iterations_);
        start = minimum.x;
        Fit fit;
        fit.passes = minimum.iterations;
        fit.converged = minimum.converged;
        fit.model = std::make_unique<LogisticModel>(targets.classes, inputs, minimum.x);
        fit.accuracy = accuracy_on(*fit.model, request.dev);
        fits.push_back(std::move(fit));
    }
    return fits;
}

LogisticModel::LogisticModel(std::vector<Label> classes,
                             std::size_t inputs,
                             std::vector<double> weights)
    : classes_(std::move(classes)), inputs_(inputs), weights_(std::move(weights))
{
}

std::vector<Prediction> LogisticModel::predict(const DesignMatrix& matrix,
                                               std::span<const std::uint32_t> rows) const
{
    const std::size_t outputs = weights_.size() / (inputs_ + 1);
    const arma::mat w(const_cast<double*>(weights_.data()), inputs_ + 1, outputs, false, true);
    std::vector<Prediction> predictions;
    predictions.reserve(rows.size());
    each_block_of(matrix, rows, [&](const arma::mat& x, std::size_t) {
        arma::mat z = w.t() * x;
        if (classes_.size() == 2)
            z.insert_rows(0, 1); // the first class's score is 0
        for (std::size_t i = 0; i < z.n_cols; ++i) {
            const arma::uword best = z.col(i).index_max();
            predictions.push_back(
                {classes_[best], 1 / arma::accu(arma::exp(z.col(i) - z(best, i)))});
        }
    });
    return predictions;
}

} // namespace senteval::learn
