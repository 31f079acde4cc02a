#include "learn/logistic_regression.hpp"

#include "base/error.hpp"
#include "learn/design_matrix.hpp"
#include "learn/logistic_loss.hpp"
#include "learn/newton.hpp"
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

/// The end of the path of minima, extrapolated. Each C starts there, near its own minimum; the strengths of a grid
/// grow by equal factors, along which the minima move evenly.
arma::mat extrapolated(std::span<const arma::mat> path)
{
    const arma::mat& last = path.back();
    return path.size() < 3 ? last : arma::mat(2 * last - path[path.size() - 2]);
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
    const numeric::FlushDenormals flush;
    const Targets targets = code_labels(request.train);
    LogisticLoss loss(request.train, targets.codes, targets.classes.size(), request.stop);
    Curvature curvature(loss);
    std::vector<Fit> fits;
    std::vector<arma::mat> path{arma::mat(loss.size(), loss.outputs(), arma::fill::zeros)};
    for (const double c : request.strengths) {
        Minimum minimum =
            minimise(loss, curvature, c, extrapolated(path), tolerance, max_iterations_);
        const arma::mat weights = loss.unshifted(minimum.weights);
        Fit fit;
        fit.passes = minimum.steps;
        fit.converged = minimum.converged;
        fit.model =
            std::make_unique<LogisticModel>(targets.classes, request.train.matrix->inputs(),
                                            std::vector<double>(weights.begin(), weights.end()));
        fit.accuracy = accuracy_on(*fit.model, request.dev);
        fits.push_back(std::move(fit));
        path.push_back(std::move(minimum.weights));
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
    const std::size_t block = ShiftedRows::block_rows(matrix);
    ShiftedRows features(matrix);
    for (std::size_t first = 0; first < rows.size(); first += block) {
        arma::mat z =
            w.t() * features.load(rows.subspan(first, std::min(block, rows.size() - first)));
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
