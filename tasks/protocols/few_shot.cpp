#include "tasks/protocols/mteb.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "learn/design_matrix.hpp"
#include "learn/draws.hpp"
#include "learn/lbfgs_regression.hpp"
#include "measures/classes.hpp"
#include "tasks/protocols/shared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

using Rows = std::vector<std::uint32_t>;

/// Items of which an experiment learns, and those it is tested on.
struct Experiment {
    Rows train;
    Rows test;
    Rows predicted; ///< classes of `test`
    std::size_t iterations = 0;
};

std::vector<Experiment>
draw(const Part& train, const Part& test, const FewShotRules& rules, std::uint32_t seed)
{
    std::vector<Experiment> all;
    if (rules.folds == 0) {
        Rows order = first_numbers(train.size());
        for (std::size_t e = 0; e < rules.experiments; ++e)
            all.push_back(
                {learn::draw_per_label(train.labels, rules.samples_per_label, order, seed),
                 first_numbers(test.size()),
                 {}});
        return all;
    }
    if (rules.folds > test.size())
        throw base::Error("{} folds of {} items cannot be made: set 'folds' to fewer", rules.folds,
                          test.size());
    Rows order; // MTEB's stays as long as the first fold's training part
    for (const learn::Fold& fold : learn::shuffled_folds(test.size(), rules.folds, seed)) {
        if (order.empty())
            order = first_numbers(fold.train.size());
        const auto labels = reordered<std::uint32_t>(train.labels, fold.train);
        const Rows chosen = learn::draw_per_label(labels, rules.samples_per_label, order, seed);
        all.push_back({reordered<std::uint32_t>(fold.train, chosen), fold.test, {}});
    }
    return all;
}

void fit(std::vector<Experiment>& experiments,
         const learn::DesignMatrix& train,
         std::span<const std::uint32_t> labels,
         const learn::DesignMatrix& test,
         const FewShotRules& rules,
         task::Context& context)
{
    const auto limits = rules.converged ? learn::LbfgsLimits::converged() : learn::LbfgsLimits();
    std::vector<learn::LbfgsFit> fits(experiments.size());
    base::parallel_for(experiments.size(), context.threads, [&](std::size_t e) {
        if (context.stop.stop_requested())
            throw base::Cancelled();
        fits[e] = learn::fit_lbfgs({&train, labels, experiments[e].train}, limits);
        experiments[e].iterations = fits[e].iterations;
    });
    if (rules.folds > 0) {
        for (std::size_t e = 0; e < experiments.size(); ++e) {
            const learn::LogisticModel* const model = fits[e].model.get();
            experiments[e].predicted =
                learn::predict_labels({&model, 1}, test, experiments[e].test, context.threads)
                    .front();
        }
        return;
    }
    std::vector<const learn::LogisticModel*> models;
    for (const learn::LbfgsFit& one : fits)
        models.push_back(one.model.get());
    auto predicted = learn::predict_labels(models, test, experiments.front().test, context.threads);
    for (std::size_t e = 0; e < experiments.size(); ++e)
        experiments[e].predicted = std::move(predicted[e]);
}

/// Average precision of the predictions 0 and 1 as scores: MTEB's "ap".
double average_precision(const measures::ClassReport& report, double share)
{
    const auto& [precision, recall, f1] = report.classes[1];
    return precision * recall + (1 - recall) * share;
}

/// Returns the scores of one experiment, in per cent.
base::Json scores_of(const Dataset& dataset, const Part& test, const Experiment& experiment)
{
    const auto gold = reordered<std::uint32_t>(test.labels, experiment.test);
    const auto report = measures::class_report(gold, experiment.predicted, dataset.classes.size());
    base::Json scores = {{"accuracy", report.accuracy},
                         {"f1", report.macro.f1},
                         {"f1_weighted", report.weighted.f1},
                         {"precision", report.macro.precision},
                         {"precision_weighted", report.weighted.precision},
                         {"recall", report.macro.recall},
                         {"recall_weighted", report.weighted.recall}};
    if (dataset.classes == std::vector<std::string>{"0", "1"})
        scores["ap"] = scores["ap_weighted"] =
            average_precision(report, static_cast<double>(std::ranges::count(gold, 1U)) /
                                          static_cast<double>(gold.size()));
    for (auto& [key, value] : scores.items())
        value = 100 * value.get<double>();
    return scores;
}

results::Outcomes outcomes_of(const Dataset& dataset,
                              const Part& test,
                              const std::vector<Experiment>& experiments,
                              const FewShotRules& rules)
{
    results::Outcomes outcomes{"class", dataset.classes, {}, {}, {}};
    const std::size_t groups = rules.folds > 0 ? experiments.size() : 1;
    for (std::uint32_t group = 0; group < groups; ++group) {
        outcomes.groups.push_back(rules.folds > 0 ? fmt::format("fold {}", group + 1) : "");
        const Experiment& experiment = experiments[group];
        for (std::size_t i = 0; i < experiment.test.size(); ++i) {
            const std::uint32_t item = experiment.test[i];
            outcomes.rows.push_back({item, group, static_cast<double>(test.labels[item]),
                                     static_cast<double>(experiment.predicted[i]), 0});
        }
    }
    for (std::size_t e = 0; rules.folds == 0 && e < experiments.size(); ++e)
        outcomes.further.push_back(
            {fmt::format("experiment {}", e + 1),
             {experiments[e].predicted.begin(), experiments[e].predicted.end()}});
    return outcomes;
}

task::Result run_few_shot(const FewShotRules& rules, const Dataset& dataset, task::Context& context)
{
    const Part& test = dataset.part("test");
    const Part& train = rules.folds > 0 ? test : dataset.part("train");
    auto experiments = draw(train, test, rules, fixed_seed(context.settings));
    const EmbeddedPart of_train = embed(train, context);
    const EmbeddedPart of_test = embed(test, context);
    {
        const auto phase = context.clock.phase("fit");
        const auto training = learn::Features::single(of_train.first);
        const auto testing = learn::Features::single(of_test.first);
        const learn::DesignMatrix learned(
            features_by_training(training, training, context.settings));
        const learn::DesignMatrix tested(features_by_training(testing, training, context.settings));
        fit(experiments, learned, train.labels, tested, rules, context);
    }
    const auto phase = context.clock.phase("score");
    task::Result result;
    result.outcomes = outcomes_of(dataset, test, experiments, rules);
    for (const Experiment& experiment : experiments) {
        const base::Json scores = scores_of(dataset, test, experiment);
        for (const auto& [key, value] : scores.items())
            result.metrics[key] = result.metrics.value(key, 0.0) + value.get<double>();
        result.details["experiments"].push_back(scores);
        result.details["iterations"].push_back(experiment.iterations);
        result.details["learned_from"].push_back(experiment.train.size());
    }
    for (auto& [key, value] : result.metrics.items())
        value = value.get<double>() / static_cast<double>(experiments.size());
    result.metrics["ntest"] = test.size();
    return result;
}

/// Describes a mean over the series "experiment 1" ..., or over the folds.
results::Metric
share_metric(const char* path, const char* title, const char* statistic, const FewShotRules& rules)
{
    results::Metric metric = percent_metric(path, title, {statistic, "experiment"});
    metric.source.fits = rules.experiments;
    if (rules.folds > 0)
        metric.source = {statistic, "", {}, results::Over::groups};
    return metric;
}

std::vector<results::Metric> few_shot_metrics(const FewShotRules& rules)
{
    return {share_metric("accuracy", "accuracy", "accuracy", rules),
            share_metric("f1", "macro-F1", "macro f1", rules),
            percent_metric("f1_weighted", "weighted F1"),
            percent_metric("precision", "macro-precision"),
            percent_metric("precision_weighted", "weighted precision"),
            percent_metric("recall", "macro-recall"),
            percent_metric("recall_weighted", "weighted recall")};
}

} // namespace

base::Json
few_shot_settings(const FewShotRules& rules, const char* protocol, const task::Settings& settings)
{
    base::Json json = mteb_settings(settings, protocol);
    json["normalise"] = to_json(settings.normalisations);
    json["seed"] = fixed_seed(settings);
    json["samples_per_label"] = rules.samples_per_label;
    if (rules.folds > 0)
        json["folds"] = rules.folds;
    else
        json["experiments"] = rules.experiments;
    if (rules.converged)
        json["converged"] = true;
    if (!rules.earlier.empty())
        json["earlier"] = rules.earlier;
    return json;
}

Protocol few_shot_protocol(const FewShotRules& rules)
{
    return {"classifier, learned from a few items of each class, several times",
            few_shot_metrics(rules), std::bind_front(run_few_shot, rules),
            std::bind_front(few_shot_settings, rules, "few-shot")};
}

} // namespace senteval::tasks
