#include "learn/ridge.hpp"

#include "base/error.hpp"
#include "learn/classifier.hpp"
#include "learn/draws.hpp"
#include "learn/principal_axes.hpp"
#include "stats/correlation.hpp"

#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

namespace senteval::learn {

namespace {

/// Some of the items of a dataset.
struct Items {
    explicit Items(const ScoredDataset& all) : data(all), numbers(all.scores.size())
    {
        std::iota(numbers.begin(), numbers.end(), 0U);
    }
    Items(const ScoredDataset& all, std::vector<std::uint32_t> some)
        : data(all), numbers(std::move(some))
    {
    }

    [[nodiscard]] arma::mat
    features(const std::shared_ptr<const embedding::Normaliser>& normaliser) const
    {
        return features_of(DesignMatrix(data.features.normalised(normaliser)), numbers);
    }
    [[nodiscard]] arma::vec scores() const
    {
        arma::vec all(numbers.size());
        std::ranges::transform(numbers, all.begin(), [&](auto i) { return data.scores[i]; });
        return all;
    }

    const ScoredDataset& data;
    std::vector<std::uint32_t> numbers;
};

/// Scores of the tested items, a column for each strength. The normalisation is fitted on the items learned from.
arma::mat predicted(const Items& learned,
                    const Items& tested,
                    embedding::Treatment kind,
                    std::span<const double> strengths)
{
    std::shared_ptr<const embedding::Normaliser> normaliser;
    if (kind != embedding::Normalisation::none)
        normaliser = learned.data.features.fit(kind, learned.numbers);
    arma::mat x = learned.features(normaliser);
    arma::mat other = tested.features(normaliser);
    const arma::vec mean = arma::mean(x, 1);
    x.each_col() -= mean;
    other.each_col() -= mean;
    arma::vec y = learned.scores();
    const double center = arma::mean(y);
    const double deviation = arma::stddev(y, 1);
    y = (y - center) / (deviation > 0 ? deviation : 1);

    // By the products of the items or of the features, whichever are fewer.
    const bool by_items = x.n_cols < x.n_rows;
    const arma::mat products = by_items ? arma::mat(x.t() * x) : arma::mat(x * x.t());
    const arma::vec right = by_items ? y : arma::vec(x * y);
    const arma::mat left = by_items ? arma::mat(other.t() * x) : arma::mat(other.t());
    arma::mat scores(left.n_rows, strengths.size());
    for (std::size_t s = 0; s < strengths.size(); ++s) {
        arma::mat penalised = products;
        penalised.diag() += strengths[s];
        arma::vec solved;
        if (!arma::solve(solved, penalised, right, arma::solve_opts::likely_sympd))
            throw base::Error("the features are too large for ridge regression");
        scores.col(s) = center + deviation * (left * solved);
    }
    return scores;
}

/// Pearson's r on the tested items, by strength.
arma::rowvec correlations(const Items& learned, const Items& tested, embedding::Treatment kind)
{
    const arma::mat scores = predicted(learned, tested, kind, ridge_strengths);
    const arma::vec gold = tested.scores();
    arma::rowvec r(scores.n_cols);
    for (std::size_t s = 0; s < r.n_elem; ++s)
        r[s] = stats::pearson({scores.colptr(s), scores.n_rows}, gold).r;
    r.replace(arma::datum::nan, 0);
    return r;
}

/// The correlation by which each strength is chosen.
arma::rowvec search(const Items& train,
                    const ScoredDataset& dev,
                    embedding::Treatment kind,
                    const std::stop_token& stop)
{
    if (!dev.scores.empty())
        return correlations(train, Items(dev), kind);
    arma::rowvec sum(ridge_strengths.size(), arma::fill::zeros);
    for (const Fold& fold : shuffled_folds(train.numbers.size(), ridge_folds, ridge_folds_seed)) {
        if (stop.stop_requested())
            throw base::Cancelled();
        sum += correlations({train.data, fold.train}, {train.data, fold.test}, kind);
    }
    return sum / ridge_folds;
}

} // namespace

Relatedness ridge_relatedness(const ScoredDataset& train,
                              const ScoredDataset& dev,
                              const ScoredDataset& test,
                              const RelatednessOptions& options)
{
    check_parts(train, dev, test, options);
    if (dev.scores.empty() && train.scores.size() < 2 * ridge_folds)
        throw TooFewItems("{} training items are too few for {} folds: add some, or a dev part",
                          train.scores.size(), ridge_folds);
    const Items learned(train);
    Relatedness result;
    for (const embedding::Treatment& kind : options.normalisations) {
        const arma::rowvec r = search(learned, dev, kind, options.stop);
        if (result.devpearson_of.empty() || r.max() > result.devpearson) {
            result.devpearson = r.max();
            result.normalisation = result.devpearson_of.size();
            result.strength = ridge_strengths[r.index_max()]; // the first of equals
        }
        result.devpearson_of.push_back(r.max());
    }
    const arma::vec yhat = predicted(
        learned, Items(test), options.normalisations[result.normalisation], {&result.strength, 1});
    result.yhat.assign(yhat.begin(), yhat.end());
    measure(result, test.scores);
    return result;
}

} // namespace senteval::learn
