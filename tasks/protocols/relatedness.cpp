#include "tasks/protocols/relatedness.hpp"

#include "base/parallel.hpp"
#include "learn/ridge.hpp"
#include "tasks/protocols/shared.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

using ScoredPart = LearnPart<learn::ScoredDataset, double, &Part::scores>;

/// The three parts as the learn room sees them.
struct ScoredParts {
    ScoredParts(const Dataset& dataset, task::Context& context)
        : training(dataset.part("train"), context.settings),
          train(*training, context),
          dev(dataset.find("dev") == nullptr
                  ? nullptr
                  : std::make_unique<const ScoredPart>(dataset.part("dev"), context)),
          test(dataset.part("test"), context)
    {
    }

    TrainingPart training;
    ScoredPart train;
    std::unique_ptr<const ScoredPart> dev; ///< may be none
    ScoredPart test;
};

learn::RelatednessOptions options_of(const std::optional<learn::ScoreRange>& range,
                                     const task::Context& context)
{
    learn::RelatednessOptions options;
    options.range = range;
    options.seed = context.settings.seed;
    options.normalisations = context.settings.treatments();
    options.kernels = context.kernels;
    options.stop = context.stop;
    return options;
}

learn::Relatedness fit(const ScoredParts& parts,
                       const std::optional<learn::ScoreRange>& range,
                       const task::Context& context,
                       bool reports_progress)
{
    learn::RelatednessOptions options = options_of(range, context);
    if (reports_progress)
        options.progress = context.progress;
    return learn::relatedness(parts.train.view, parts.dev->view, parts.test.view, options);
}

/// Describes the metrics of the head whose predictions are the series; `path` begins their paths.
std::vector<results::Metric> describe(const std::string& path, const std::string& series)
{
    const bool lower = false;
    return {
        correlation_metric(path + "pearson", "Pearson's r", {"pearson", series}),
        correlation_metric(path + "spearman", "Spearman's ρ", {"spearman", series}),
        {path + "mse", "mean squared error", "squared error", 4, lower, {"squared error", series}},
        correlation_metric(path + "devpearson", "development Pearson's r")};
}

/// Describes the metrics of the original's head, and of the one for the dataset's own scale.
std::vector<results::Metric> describe_both()
{
    std::vector<results::Metric> metrics = describe("", "");
    for (results::Metric& metric : describe("range.", "range"))
        metrics.push_back(std::move(metric));
    return metrics;
}

base::Json metrics_of(const learn::Relatedness& found)
{
    return {{"devpearson", found.devpearson},
            {"pearson", found.pearson},
            {"spearman", found.spearman},
            {"mse", found.mse}};
}

base::Json details_of(const learn::Relatedness& found, const task::Settings& settings)
{
    base::Json details = base::Json::object();
    if (found.passes > 0)
        details["passes"] = found.passes;
    else
        details["strength"] = found.strength;
    add_choice(details, settings.normalisations, found.normalisation);
    if (settings.normalisations.size() > 1)
        details["devpearson"] = found.devpearson_of;
    return details;
}

/// Puts the predictions, which are in the order of evaluation, in the file's.
std::vector<double> in_file_order(const Part& test, const std::vector<double>& predictions)
{
    std::vector<double> ordered(test.size());
    for (std::size_t i = 0; i < test.size(); ++i)
        ordered[test.order[i]] = predictions[i];
    return ordered;
}

results::Outcomes outcomes_of(const Part& test, const std::vector<double>& predictions)
{
    results::Outcomes outcomes;
    outcomes.kind = "score";
    add_group(outcomes, "", test.scores, in_file_order(test, predictions));
    return outcomes;
}

task::Result result_of(const Dataset& dataset,
                       const ScoredParts& parts,
                       const learn::Relatedness& found,
                       const task::Settings& settings)
{
    task::Result result;
    result.metrics = metrics_of(found);
    result.metrics["ndev"] = (parts.dev ? dataset.part("dev") : dataset.part("train")).size();
    result.metrics["ntest"] = dataset.part("test").size();
    result.details = details_of(found, settings);
    result.details["trained_on"] = parts.train.ordered.size();
    result.outcomes = outcomes_of(dataset.part("test"), found.yhat);
    return result;
}

/// Whether the range is 1 to 5, on which the original's model is the one for the dataset's own scale.
bool is_original(const learn::ScoreRange& range)
{
    constexpr learn::ScoreRange original;
    return range.low == original.low && range.high == original.high;
}

task::Result
run_both(const learn::ScoreRange& range, const Dataset& dataset, task::Context& context)
{
    const ScoredParts parts(dataset, context);
    const auto phase = context.clock.phase("fit");
    std::vector<learn::Relatedness> found(is_original(range) ? 1 : 2);
    base::parallel_for(found.size(), context.threads, [&](std::size_t job) {
        found[job] = job == 0 ? fit(parts, {}, context, true) : fit(parts, range, context, false);
    });
    task::Result result = result_of(dataset, parts, found.front(), context.settings);
    result.metrics["range"] = metrics_of(found.back());
    result.outcomes.further.push_back(
        {"range", in_file_order(dataset.part("test"), found.back().yhat)});
    result.details["range_passes"] = found.back().passes;
    base::Json choice;
    add_choice(choice, context.settings.normalisations, found.back().normalisation);
    if (!choice.empty())
        result.details["range"] = choice;
    return result;
}

task::Result run_ridge(const Dataset& dataset, task::Context& context)
{
    const ScoredParts parts(dataset, context);
    const auto phase = context.clock.phase("fit");
    const learn::ScoredDataset none;
    return result_of(dataset, parts,
                     learn::ridge_relatedness(parts.train.view, parts.dev ? parts.dev->view : none,
                                              parts.test.view, options_of({}, context)),
                     context.settings);
}

base::Json
settings_of(const char* protocol, const learn::ScoreRange& range, const task::Settings& settings)
{
    base::Json json = {{"protocol", protocol},
                       {"seed", settings.seed},
                       {"normalise", to_json(settings.normalisations)},
                       {"range", {range.low, range.high}}};
    add_resample(json, settings);
    return json;
}

} // namespace

Protocol relatedness_protocol(const learn::ScoreRange& range)
{
    return {"regression on |u-v| and u*v, trained, tuned and tested on three parts",
            describe_both(), std::bind_front(run_both, range),
            [range](const task::Settings& settings) {
                return settings_of("relatedness", range, settings);
            }};
}

Protocol ridge_relatedness(const learn::ScoreRange& range)
{
    return {"ridge regression on |u-v| and u*v, tuned on a part or by folds of the training part",
            describe("", ""), run_ridge, [range](const task::Settings& settings) {
                base::Json json = settings_of("ridge_relatedness", range, settings);
                json.update({{"strengths", learn::ridge_strengths},
                             {"kfold", learn::ridge_folds},
                             {"folds_seed", learn::ridge_folds_seed}});
                return json;
            }};
}

} // namespace senteval::tasks
