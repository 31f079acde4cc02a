#include "tasks/protocols/classification.hpp"

#include "learn/rounding.hpp"
#include "learn/validation.hpp"
#include "measures/classes.hpp"
#include "measures/named_statistic.hpp"
#include "results/classes.hpp"
#include "stats/statistic.hpp"
#include "tasks/protocols/shared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

learn::Settings classifier_of(const task::Settings& chosen, const ClassificationRules& rules)
{
    learn::Settings settings = chosen.classifier;
    if (rules.converges && !chosen.names_classifier)
        settings.classifier = "logreg-newton";
    if (rules.linear) {
        settings.nhid = 0;
        if (settings.classifier == "mlp")
            settings.classifier = "softmax";
    }
    settings.max_epoch = rules.max_epoch.value_or(settings.max_epoch);
    settings.epoch_size = rules.epoch_size.value_or(settings.epoch_size);
    return settings;
}

/// Returns the hidden layers to choose from; none where there is no choice.
std::vector<learn::HiddenLayer> hidden_layers(const task::Settings& settings,
                                              const learn::Settings& classifier)
{
    std::vector<learn::HiddenLayer> layers;
    if (classifier.classifier == "mlp")
        for (const std::size_t units : settings.nhids)
            for (const double dropout : settings.dropouts)
                if (units > 0 || dropout == settings.dropouts.front()) // which drops from nothing
                    layers.push_back({units, units > 0 ? dropout : 0});
    return layers;
}

using ClassifiedPart = LearnPart<learn::Dataset, learn::Label, &Part::labels>;

learn::ValidationOptions
options_of(const Dataset& dataset, const task::Context& context, const ClassificationRules& rules)
{
    learn::ValidationOptions options;
    options.classifier = classifier_of(context.settings, rules);
    options.classes = dataset.classes.size();
    options.seed = context.settings.seed;
    options.folds_seed = rules.fixed_folds ? task::default_seed : options.seed;
    options.kfold = context.settings.kfold;
    options.regularised = rules.regularised;
    options.normalisations = context.settings.treatments();
    options.hidden = hidden_layers(context.settings, options.classifier);
    options.threads = context.threads;
    options.kernels = context.kernels;
    options.stop = context.stop;
    options.progress = context.progress;
    return options;
}

base::Json details_of(const learn::Validation& found,
                      const task::Settings& settings,
                      const ClassificationRules& rules)
{
    const auto layers = hidden_layers(settings, classifier_of(settings, rules));
    base::Json details = {{"strengths", found.strengths}};
    for (const learn::Search& search : found.searches) {
        base::Json one = {{"dev", search.dev},
                          {"strength", found.strengths[found.strength(search.chosen)]},
                          {"test", search.test},
                          {"passes", search.passes},
                          {"unconverged", search.unconverged},
                          {"folds", search.folds}};
        add_choice(one, settings.normalisations, found.normalisation(search.chosen));
        if (!layers.empty())
            one.update({{"nhid", layers[found.hidden(search.chosen)].units},
                        {"dropout", layers[found.hidden(search.chosen)].dropout}});
        details["searches"].push_back(std::move(one));
    }
    return details;
}

results::Outcomes
outcomes_of(const Dataset& dataset, const Part& tested, const learn::Validation& found)
{
    results::Outcomes outcomes;
    outcomes.kind = "class";
    outcomes.classes = dataset.classes;
    if (found.searches.size() == 1)
        outcomes.groups = {""};
    for (std::size_t fold = 1; outcomes.groups.size() < found.searches.size(); ++fold)
        outcomes.groups.push_back(fmt::format("fold {}", fold));
    for (const learn::TestPrediction& prediction : found.predictions) {
        const std::uint32_t item = tested.order[prediction.item];
        outcomes.rows.push_back({item, prediction.fold, static_cast<double>(tested.labels[item]),
                                 static_cast<double>(prediction.label), prediction.confidence});
    }
    std::sort(outcomes.rows.begin(), outcomes.rows.end(), [](const auto& a, const auto& b) {
        return std::tie(a.group, a.item) < std::tie(b.group, b.item);
    });
    return outcomes;
}

/// Per cent, rounded as the original rounds.
double rounded(std::string_view statistic, std::span<const results::ItemOutcome> rows)
{
    std::vector<double> gold;
    std::vector<double> predicted;
    for (const results::ItemOutcome& row : rows) {
        gold.push_back(row.gold);
        predicted.push_back(row.prediction);
    }
    return learn::round_numpy(100 * measures::find_statistic(statistic)->of(gold, predicted).value);
}

/// Adds what scikit-learn's report has beside accuracy and macro-F1.
void add_classes(const Dataset& dataset, task::Result& result)
{
    results::Classes of_items;
    of_items.add(result.outcomes.rows);
    const auto report =
        measures::class_report(of_items.gold, of_items.predicted, dataset.classes.size());
    result.metrics["weighted-f1"] = learn::round_numpy(100 * report.weighted.f1);
    for (std::size_t i = 0; i < dataset.classes.size(); ++i)
        result.details["classes"][dataset.classes[i]] = {
            {"precision", 100 * report.classes[i].precision},
            {"recall", 100 * report.classes[i].recall},
            {"f1", 100 * report.classes[i].f1},
            {"items", std::ranges::count(of_items.gold, i)}};
}

task::Result result_of(const Dataset& dataset,
                       const Part& developed,
                       const Part& tested,
                       const learn::Validation& found,
                       std::size_t trained, // items that a tested model learned from
                       const task::Settings& settings,
                       const ClassificationRules& rules)
{
    task::Result result;
    result.outcomes = outcomes_of(dataset, tested, found);
    result.metrics = {{"devacc", found.devacc}, {"acc", found.acc}};
    if (!rules.f1.empty())
        result.metrics["f1"] = rounded("f1", result.outcomes.rows);
    if (rules.macro_f1)
        result.metrics["macro-f1"] = rounded("macro f1", result.outcomes.rows);
    result.metrics["ndev"] = developed.size();
    result.metrics["ntest"] = tested.size();
    result.details = details_of(found, settings, rules);
    result.details["trained_on"] = trained;
    if (rules.macro_f1)
        add_classes(dataset, result);
    const auto warnings = training_warnings(found, classifier_of(settings, rules), trained);
    if (!warnings.empty())
        result.details["warnings"] = warnings;
    return result;
}

task::Result
run_inner_kfold(const ClassificationRules& rules, const Dataset& dataset, task::Context& context)
{
    const Part& all = dataset.parts.front();
    const ClassifiedPart data(all, context, rules.pair_form);
    const auto phase = context.clock.phase("fit");
    learn::ValidationOptions options = options_of(dataset, context, rules);
    std::size_t learned = all.size();
    if (context.settings.resample > 0) {
        options.learnable = half_of(all.size(), context.settings.resample);
        learned /= 2;
    }
    return result_of(dataset, all, all, learn::inner_kfold(data.view, options),
                     learned - learned / context.settings.kfold, context.settings, rules);
}

task::Result
run_kfold(const ClassificationRules& rules, const Dataset& dataset, task::Context& context)
{
    const TrainingPart training(dataset.part("train"), context.settings);
    const ClassifiedPart train(*training, context, rules.pair_form);
    const ClassifiedPart test(dataset.part("test"), context, rules.pair_form);
    const auto phase = context.clock.phase("fit");
    return result_of(dataset, dataset.part("train"), dataset.part("test"),
                     learn::kfold(train.view, test.view, options_of(dataset, context, rules)),
                     train.view.labels.size(), context.settings, rules);
}

task::Result
run_split(const ClassificationRules& rules, const Dataset& dataset, task::Context& context)
{
    const TrainingPart training(dataset.part("train"), context.settings);
    const ClassifiedPart train(*training, context, rules.pair_form);
    const ClassifiedPart dev(dataset.part("dev"), context, rules.pair_form);
    const ClassifiedPart test(dataset.part("test"), context, rules.pair_form);
    const auto phase = context.clock.phase("fit");
    return result_of(
        dataset, dataset.part("dev"), dataset.part("test"),
        learn::split(train.view, dev.view, test.view, options_of(dataset, context, rules)),
        train.view.labels.size(), context.settings, rules);
}

/// A way of validating a classifier.
struct Validation {
    std::string_view name; ///< in results
    std::string_view summary;
    bool folds; ///< whether it cross-validates
    task::Result (*run)(const ClassificationRules&, const Dataset&, task::Context&);
};

constexpr Validation inner_kfold_validation{
    "inner_kfold", "classifier, tested by nested cross-validation", true, run_inner_kfold};
constexpr Validation kfold_validation{
    "kfold", "classifier, cross-validated on the training part and tested on the test part", true,
    run_kfold};
constexpr Validation split_validation{
    "split", "classifier, trained, tuned and tested on three parts", false, run_split};

base::Json settings_of(const Validation& validation,
                       const ClassificationRules& rules,
                       const task::Settings& settings)
{
    base::Json json = {{"protocol", validation.name}, {"seed", settings.seed}};
    if (validation.folds)
        json["kfold"] = settings.kfold;
    if (rules.fixed_folds)
        json["folds_seed"] = task::default_seed;
    json["regularised"] = rules.regularised;
    json["normalise"] = to_json(settings.normalisations);
    const learn::Settings classifier = classifier_of(settings, rules);
    json["classifier"] = to_json(classifier);
    if (!hidden_layers(settings, classifier).empty())
        json["classifier"].update({{"nhid", settings.nhids}, {"dropout", settings.dropouts}});
    add_resample(json, settings);
    return json;
}

std::vector<results::Metric> metrics_of(const ClassificationRules& rules)
{
    std::vector<results::Metric> metrics = {percent_metric("acc", "accuracy", {"accuracy", ""}),
                                            percent_metric("devacc", "development accuracy")};
    if (!rules.f1.empty())
        metrics.push_back(percent_metric("f1", rules.f1, {"f1", ""}));
    if (rules.macro_f1) {
        metrics.push_back(percent_metric("macro-f1", "macro-F1", {"macro f1", ""}));
        metrics.push_back(percent_metric("weighted-f1", "weighted F1"));
    }
    return metrics;
}

Protocol make_protocol(const Validation& validation, const ClassificationRules& rules)
{
    return {std::string(validation.summary), metrics_of(rules),
            std::bind_front(validation.run, rules),
            std::bind_front(settings_of, validation, rules)};
}

} // namespace

Protocol inner_kfold_classification(const ClassificationRules& rules)
{
    return make_protocol(inner_kfold_validation, rules);
}

Protocol kfold_classification(const ClassificationRules& rules)
{
    return make_protocol(kfold_validation, rules);
}

Protocol split_classification(const ClassificationRules& rules)
{
    return make_protocol(split_validation, rules);
}

} // namespace senteval::tasks
