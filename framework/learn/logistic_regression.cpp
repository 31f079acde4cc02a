#include "learn/logistic_regression.hpp"

#include "base/error.hpp"
#include "learn/logistic_loss.hpp"
#include "learn/newton.hpp"
#include "learn/principal_axes.hpp"
#include "learn/rounding.hpp"
#include "numeric/denormals.hpp"

#include <armadillo>

#include <algorithm>

namespace senteval::learn {

namespace {

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

/// The path of minima, extrapolated by a parabola; `first` where there are none. Each C starts there, near its own
/// minimum: the strengths of a grid grow by equal factors, along which the minima move evenly.
arma::mat extrapolated(const std::vector<arma::mat>& path, arma::mat first)
{
    const std::size_t n = path.size();
    if (n < 3)
        return n == 0 ? std::move(first) : path.back();
    return 3 * (path[n - 1] - path[n - 2]) + path[n - 3];
}

} // namespace

LogisticRegression::LogisticRegression(const Settings& settings)
    : max_iterations_(settings.max_iterations)
{
    if (max_iterations_ == 0)
        throw base::UsageError("max_iterations must be at least 1");
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
    return std::move(fit_all({&request, 1}).front());
}

std::vector<std::vector<Fit>>
LogisticRegression::fit_all(std::span<const FitRequest> requests) const
{
    const numeric::FlushDenormals flush;
    std::vector<Examples> sets;
    for (const FitRequest& request : requests)
        sets.push_back(request.train);
    LogisticLoss loss(sets, requests[0].stop);
    std::vector<std::vector<Fit>> fits(requests.size());
    std::vector<std::vector<arma::mat>> paths(requests.size());
    for (const double c : requests[0].strengths) {
        loss.set_penalty(1 / c);
        std::vector<arma::mat> starts;
        for (std::size_t p = 0; p < paths.size(); ++p)
            starts.push_back(
                extrapolated(paths[p], arma::mat(loss.size(), loss.outputs(p), arma::fill::zeros)));
        std::vector<Minimum> minima = minimise(loss, std::move(starts), tolerance, max_iterations_);
        for (std::size_t p = 0; p < paths.size(); ++p) {
            const arma::mat weights = loss.of_features(minima[p].weights);
            Fit fit;
            fit.passes = minima[p].steps;
            fit.converged = minima[p].converged;
            fit.model = std::make_unique<LogisticModel>(
                loss.classes(p), sets[p].matrix->inputs(),
                std::vector<double>(weights.begin(), weights.end()));
            fit.accuracy = accuracy_on(*fit.model, requests[p].dev);
            fits[p].push_back(std::move(fit));
            paths[p].push_back(std::move(minima[p].weights));
        }
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
    constexpr std::size_t block = 256;
    const std::size_t outputs = weights_.size() / (inputs_ + 1);
    const arma::mat w(const_cast<double*>(weights_.data()), inputs_ + 1, outputs, false, true);
    const arma::mat of_features = w.head_rows(inputs_).t();
    const arma::vec intercepts = w.row(inputs_).t();
    std::vector<Prediction> predictions;
    predictions.reserve(rows.size());
    for (std::size_t first = 0; first < rows.size(); first += block) {
        arma::mat z =
            of_features *
            features_of(matrix, rows.subspan(first, std::min(block, rows.size() - first)));
        z.each_col() += intercepts;
        if (classes_.size() == 2)
            z.insert_rows(0, 1); // the first class's score is 0
        for (std::size_t i = 0; i < z.n_cols; ++i) {
            const arma::uword best = z.col(i).index_max();
            predictions.push_back(
                {classes_[best], 1 / arma::accu(arma::exp(z.col(i) - z(best, i)))});
        }
    }
    return predictions;
}

} // namespace senteval::learn
