#include "learn/validation.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "learn/folds.hpp"
#include "learn/prepared.hpp"
#include "learn/rounding.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>
#include <string_view>
#include <utility>

namespace senteval::learn {

namespace {

/// Whatever the seed of the run: nested cross-validation has always the same folds.
constexpr std::uint32_t inner_kfold_seed = 1111;

void check(const Dataset& data, std::size_t classes, std::string_view part)
{
    if (data.labels.size() != data.features.size())
        throw base::Error("the {} part has {} labels for {} items", part, data.labels.size(),
                          data.features.size());
    if (data.labels.empty())
        throw base::Error("the {} part has no items", part);
    for (std::size_t i = 0; i < data.labels.size(); ++i)
        if (data.labels[i] >= classes)
            throw base::Error("item {} of the {} part has class {}, but there are {} classes", i,
                              part, data.labels[i], classes);
}

/// Checks that there are two classes to learn.
void check_training(const Dataset& data, std::size_t classes)
{
    check(data, classes, "training");
    if (std::all_of(data.labels.begin(), data.labels.end(),
                    [&](Label label) { return label == data.labels[0]; }))
        throw base::Error("all {} training items are of class {}: there is nothing to learn",
                          data.labels.size(), data.labels[0]);
}

void check_same_dimension(const Dataset& train, const Dataset& other, std::string_view part)
{
    if (train.features.dimension() != other.features.dimension())
        throw base::Error("the {} part has {} features, the training part {}", part,
                          other.features.dimension(), train.features.dimension());
}

std::vector<std::uint32_t> all_rows(std::size_t count)
{
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), 0U);
    return rows;
}

/// rows[i] for each i of `positions`.
std::vector<std::uint32_t> select(std::span<const std::uint32_t> rows,
                                  std::span<const std::uint32_t> positions)
{
    std::vector<std::uint32_t> selected;
    selected.reserve(positions.size());
    for (const std::uint32_t position : positions)
        selected.push_back(rows[position]);
    return selected;
}

/// The fits of a validation: one classifier for each hidden layer, their grid, one seed. A kind is a hidden layer and a
/// normalisation of it.
class Fitter {
public:
    Fitter(const ValidationOptions& options, Protocol protocol) : options_(options)
    {
        if (options.normalisations.empty())
            throw base::UsageError("a validation needs at least one normalisation: 'none' will do");
        Settings settings = options.classifier;
        auto layers = options.hidden;
        if (layers.empty())
            layers = {{settings.nhid, settings.dropout}};
        for (const HiddenLayer& layer : layers) {
            settings.classifier = layer.units == 0 && !options.hidden.empty()
                                      ? "softmax" // what an mlp is without a hidden layer
                                      : options.classifier.classifier;
            settings.nhid = layer.units;
            settings.dropout = layer.dropout;
            classifiers_.push_back(make_classifier(settings, *options.kernels));
        }
        grid_ = classifiers_.front()->strengths(protocol, options.regularised);
    }

    [[nodiscard]] const std::vector<double>& grid() const noexcept { return grid_; }
    [[nodiscard]] double percent(double accuracy) const
    {
        return classifiers_.front()->percent(accuracy);
    }
    [[nodiscard]] std::size_t kinds() const
    {
        return classifiers_.size() * options_.normalisations.size();
    }
    [[nodiscard]] std::size_t normalisation(std::size_t kind) const
    {
        return kind % options_.normalisations.size();
    }

    /// How many folds are best fitted at once.
    [[nodiscard]] std::size_t at_once() const { return classifiers_.front()->at_once(); }

    [[nodiscard]] FitRequest
    request(const Examples& train, const Examples& dev, std::span<const double> strengths) const
    {
        return {train, dev, options_.classes, strengths, options_.seed, options_.stop};
    }
    [[nodiscard]] std::vector<std::vector<Fit>> fit_all(std::size_t kind,
                                                        std::span<const FitRequest> requests) const
    {
        return classifiers_[kind / options_.normalisations.size()]->fit_all(requests);
    }
    [[nodiscard]] std::vector<Fit> fit(std::size_t kind,
                                       const Examples& train,
                                       const Examples& dev,
                                       std::span<const double> strengths) const
    {
        const FitRequest one = request(train, dev, strengths);
        return std::move(fit_all(kind, {&one, 1}).front());
    }

    [[nodiscard]] Validation validation() const
    {
        Validation result;
        result.strengths = grid_;
        result.normalisations = options_.normalisations.size();
        return result;
    }

private:
    const ValidationOptions& options_;
    std::vector<std::unique_ptr<const Classifier>> classifiers_;
    std::vector<double> grid_;
};

/// Runs jobs on the threads of the options, with progress, counted in fits, and cancellation.
class Jobs {
public:
    /// `total`: fits of all jobs to come.
    Jobs(const ValidationOptions& options, std::size_t total) : options_(options), total_(total) {}

    /// Each job returns how many fits it made.
    void run(std::size_t count, const std::function<std::size_t(std::size_t job)>& job)
    {
        base::parallel_for(count, options_.threads, [&](std::size_t number) {
            if (options_.stop.stop_requested())
                throw base::Cancelled();
            const std::size_t fits = job(number);
            const std::lock_guard lock(mutex_);
            done_ += fits;
            if (options_.progress)
                options_.progress(done_, total_);
        });
    }

private:
    const ValidationOptions& options_;
    std::size_t total_;
    std::size_t done_ = 0;
    std::mutex mutex_;
};

/// Fits of the grid on one fold: the accuracy of each strength, and how many did not converge.
struct FoldScores {
    std::vector<double> accuracy;
    std::size_t unconverged = 0;
};

std::vector<FoldScores> score_folds(const Fitter& fitter,
                                    const Normalised& data,
                                    std::size_t kind,
                                    std::span<const Fold> folds)
{
    const auto prepared = data.fitted(fitter.normalisation(kind), folds[0].train);
    std::vector<FitRequest> requests;
    for (const Fold& fold : folds)
        requests.push_back(fitter.request(prepared->examples(fold.train),
                                          prepared->examples(fold.test), fitter.grid()));
    std::vector<FoldScores> all;
    for (const std::vector<Fit>& fits : fitter.fit_all(kind, requests)) {
        FoldScores& scores = all.emplace_back();
        for (const Fit& fit : fits) {
            scores.accuracy.push_back(fit.accuracy);
            scores.unconverged += fit.converged ? 0 : 1;
        }
    }
    return all;
}

/// Scores all folds under each kind: fold by fold, and by kind within. As many folds at once as the classifier likes,
/// where they have one matrix: where nothing is fitted on their items.
std::vector<FoldScores>
score_all(const Fitter& fitter, const Normalised& data, std::span<const Fold> folds, Jobs& jobs)
{
    const std::size_t kinds = fitter.kinds();
    const std::size_t together = data.fits_nothing() ? fitter.at_once() : 1;
    const std::size_t groups = (folds.size() + together - 1) / together;
    std::vector<FoldScores> scores(folds.size() * kinds);
    jobs.run(groups * kinds, [&](std::size_t job) {
        const std::size_t kind = job % kinds;
        const std::size_t first = job / kinds * together;
        const auto group = folds.subspan(first, std::min(together, folds.size() - first));
        auto found = score_folds(fitter, data, kind, group);
        for (std::size_t i = 0; i < found.size(); ++i)
            scores[(first + i) * kinds + kind] = std::move(found[i]);
        return group.size() * fitter.grid().size();
    });
    return scores;
}

/// Chooses the candidate by the mean over the folds. `scores`: fold by fold, and by kind within.
Search choose(std::span<const FoldScores> scores, std::size_t kinds, std::size_t strengths)
{
    Search search;
    for (std::size_t n = 0; n < kinds; ++n)
        for (std::size_t s = 0; s < strengths; ++s) {
            auto& folds = search.folds.emplace_back();
            for (std::size_t at = n; at < scores.size(); at += kinds)
                folds.push_back(scores[at].accuracy[s]);
            search.dev.push_back(round_numpy(100 * mean_numpy(folds)));
        }
    for (const FoldScores& fold : scores)
        search.unconverged += fold.unconverged;
    search.chosen = static_cast<std::size_t>(
        std::max_element(search.dev.begin(), search.dev.end()) - search.dev.begin());
    return search;
}

/// The outcome of testing a model.
struct Test {
    double percent = 0; ///< accuracy
    std::size_t passes = 0;
    bool converged = true;
    std::vector<TestPrediction> predictions;
};

Test test(const Fitter& fitter, const Fit& fit, const Prepared& data, Rows rows, std::uint32_t fold)
{
    const std::vector<Prediction> predicted = fit.model->predict(data.matrix, rows);
    Test result{0, fit.passes, fit.converged, {}};
    std::size_t correct = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        correct += predicted[i].label == data.labels[rows[i]] ? 1 : 0;
        result.predictions.push_back({rows[i], fold, predicted[i].label, predicted[i].confidence});
    }
    result.percent =
        fitter.percent(static_cast<double>(correct) / static_cast<double>(rows.size()));
    return result;
}

void enter_test(const Test& test, Search& search, Validation& result)
{
    search.test = test.percent;
    search.passes = test.passes;
    search.unconverged += test.converged ? 0 : 1;
    result.predictions.insert(result.predictions.end(), test.predictions.begin(),
                              test.predictions.end());
}

/// The dataset under the chosen normalisation, fitted on `train`, and one fit with the chosen strength
/// on all of `train`, without dev items.
struct Refit {
    Refit(const Fitter& fitter, const Search& search, const Normalised& data, Rows train)
        : prepared(data.fitted(fitter.normalisation(search.chosen / fitter.grid().size()), train)),
          fit(std::move(
              fitter
                  .fit(search.chosen / fitter.grid().size(),
                       prepared->examples(train),
                       {},
                       std::span(fitter.grid()).subspan(search.chosen % fitter.grid().size(), 1))
                  .front()))
    {
    }

    std::shared_ptr<const Prepared> prepared;
    Fit fit;
};

double best_dev(const Search& search)
{
    return search.dev[search.chosen];
}

} // namespace

Validation inner_kfold(const Dataset& data, const ValidationOptions& options)
{
    const Fitter fitter(options, Protocol::inner_kfold);
    check_training(data, options.classes);
    const std::size_t k = options.kfold;
    std::vector<Fold> outer = stratified_folds(data.labels, k, inner_kfold_seed);
    if (!options.learnable.empty())
        for (Fold& fold : outer)
            std::erase_if(fold.train, [&](std::uint32_t item) { return !options.learnable[item]; });
    const Normalised normalised(data, options.normalisations);
    const std::size_t kinds = fitter.kinds();

    std::vector<Fold> inner; // of each outer one
    for (const Fold& fold : outer)
        for (const Fold& one :
             stratified_folds(select(data.labels, fold.train), k, inner_kfold_seed))
            inner.push_back({select(fold.train, one.train), select(fold.train, one.test)});

    const std::size_t strengths = fitter.grid().size();
    Jobs jobs(options, inner.size() * kinds * strengths + k);
    const std::vector<FoldScores> scores = score_all(fitter, normalised, inner, jobs);

    Validation result = fitter.validation();
    for (std::size_t o = 0; o < k; ++o)
        result.searches.push_back(
            choose(std::span(scores).subspan(o * k * kinds, k * kinds), kinds, strengths));
    std::vector<Test> tests(k);
    jobs.run(k, [&](std::size_t o) {
        const Refit refit(fitter, result.searches[o], normalised, outer[o].train);
        tests[o] =
            test(fitter, refit.fit, *refit.prepared, outer[o].test, static_cast<std::uint32_t>(o));
        return 1;
    });

    std::vector<double> dev;
    std::vector<double> accuracy;
    for (std::size_t o = 0; o < k; ++o) {
        Search& search = result.searches[o];
        enter_test(tests[o], search, result);
        dev.push_back(best_dev(search));
        accuracy.push_back(search.test);
    }
    result.devacc = round_numpy(mean_numpy(dev));
    result.acc = round_numpy(mean_numpy(accuracy));
    return result;
}

Validation kfold(const Dataset& train, const Dataset& test_data, const ValidationOptions& options)
{
    const Fitter fitter(options, Protocol::kfold);
    check_training(train, options.classes);
    check(test_data, options.classes, "test");
    check_same_dimension(train, test_data, "test");
    const std::vector<Fold> folds =
        stratified_folds(train.labels, options.kfold, options.folds_seed);
    const Normalised normalised(train, options.normalisations);
    const std::size_t kinds = fitter.kinds();

    const std::size_t strengths = fitter.grid().size();
    Jobs jobs(options, folds.size() * kinds * strengths + 1);
    const std::vector<FoldScores> scores = score_all(fitter, normalised, folds, jobs);

    Validation result = fitter.validation();
    result.searches = {choose(scores, kinds, strengths)};
    Search& search = result.searches[0];
    const auto test_rows = all_rows(test_data.labels.size());
    jobs.run(1, [&](std::size_t) {
        const Refit refit(fitter, search, normalised, all_rows(train.labels.size()));
        const Prepared prepared_test(test_data, refit.prepared->normaliser);
        enter_test(test(fitter, refit.fit, prepared_test, test_rows, 0), search, result);
        return 1;
    });
    result.devacc = best_dev(search);
    result.acc = search.test;
    return result;
}

Validation split(const Dataset& train,
                 const Dataset& dev,
                 const Dataset& test_data,
                 const ValidationOptions& options)
{
    const Fitter fitter(options, Protocol::split);
    check_training(train, options.classes);
    check(dev, options.classes, "dev");
    check(test_data, options.classes, "test");
    check_same_dimension(train, dev, "dev");
    check_same_dimension(train, test_data, "test");
    const auto train_rows = all_rows(train.labels.size());
    const auto dev_rows = all_rows(dev.labels.size());
    const std::size_t kinds = fitter.kinds();

    Jobs jobs(options, kinds * fitter.grid().size());
    std::vector<SharedNormaliser> normalisers(kinds);
    std::vector<std::vector<Fit>> fits(kinds);
    jobs.run(kinds, [&](std::size_t n) {
        normalisers[n] =
            fit_normaliser(train, options.normalisations[fitter.normalisation(n)], train_rows);
        const Prepared prepared(train, normalisers[n]);
        const Prepared prepared_dev(dev, normalisers[n]);
        fits[n] = fitter.fit(n, prepared.examples(train_rows), prepared_dev.examples(dev_rows),
                             fitter.grid());
        return fits[n].size();
    });

    Validation result = fitter.validation();
    Search& search = result.searches.emplace_back();
    for (const std::vector<Fit>& under : fits)
        for (const Fit& fit : under) {
            search.folds.push_back({fit.accuracy});
            search.dev.push_back(fitter.percent(fit.accuracy));
            search.unconverged += fit.converged ? 0 : 1;
        }
    search.chosen = static_cast<std::size_t>(
        std::max_element(search.dev.begin(), search.dev.end()) - search.dev.begin());
    // The original trains the chosen model once more, in exactly the same way: it is this one.
    const std::size_t kind = search.chosen / fitter.grid().size();
    const Fit& chosen = fits[kind][result.strength(search.chosen)];
    const std::size_t unconverged = search.unconverged;
    const Prepared prepared_test(test_data, normalisers[kind]);
    const auto test_rows = all_rows(test_data.labels.size());
    enter_test(test(fitter, chosen, prepared_test, test_rows, 0), search, result);
    search.unconverged = unconverged;
    result.devacc = best_dev(search);
    result.acc = search.test;
    return result;
}

} // namespace senteval::learn
