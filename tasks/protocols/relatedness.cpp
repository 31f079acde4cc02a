#include "tasks/protocols/relatedness.hpp"

#include "core/parallel.hpp"
#include "tasks/protocols/embedding.hpp"

#include <array>
#include <vector>

namespace senteval::tasks {
namespace {

/// A part as the learn room sees it, and what keeps that alive.
struct LearnPart {
    LearnPart(const Part& part, task::Context& context)
        : embedded(embed(part, context)),
          scores(reordered<double>(part.scores, part.order)),
          view{embedded.features(learn::PairForm::difference_product), scores}
    {
    }
    LearnPart(const LearnPart&) = delete;
    LearnPart& operator=(const LearnPart&) = delete;
    LearnPart(LearnPart&&) = delete;
    LearnPart& operator=(LearnPart&&) = delete;
    ~LearnPart() = default;

    EmbeddedPart embedded;
    std::vector<double> scores;
    learn::ScoredDataset view;
};

/// The original's model, and the one for the dataset's own scale.
struct Heads {
    learn::Relatedness original;
    learn::Relatedness ranged;
};

Heads fit(const LearnPart& train,
          const LearnPart& dev,
          const LearnPart& test,
          const learn::ScoreRange& range,
          const task::Context& context)
{
    constexpr learn::ScoreRange original_range;
    const bool both = range.low != original_range.low || range.high != original_range.high;
    std::array<learn::Relatedness, 2> found;
    core::parallel_for(both ? 2 : 1, context.threads, [&](std::size_t job) {
        learn::RelatednessOptions options;
        options.seed = context.settings.seed;
        options.stop = context.stop;
        if (job == 0)
            options.progress = context.progress;
        else
            options.range = range;
        found[job] = learn::relatedness(train.view, dev.view, test.view, options);
    });
    return {found[0], found[both ? 1 : 0]};
}

core::Json metrics_of(const learn::Relatedness& found)
{
    return {{"devpearson", found.devpearson},
            {"pearson", found.pearson},
            {"spearman", found.spearman},
            {"mse", found.mse}};
}

task::Outcomes outcomes_of(const Part& test, const std::vector<double>& predictions)
{
    task::Outcomes outcomes;
    outcomes.kind = "score";
    outcomes.groups = {""};
    outcomes.rows.resize(test.size());
    for (std::size_t i = 0; i < test.size(); ++i) {
        const std::uint32_t item = test.order[i];
        outcomes.rows[item] = {item, 0, test.scores[item], predictions[i], predictions[i]};
    }
    return outcomes;
}

task::Result run(const Dataset& dataset, task::Context& context, const learn::ScoreRange& range)
{
    const LearnPart train(dataset.part("train"), context);
    const LearnPart dev(dataset.part("dev"), context);
    const LearnPart test(dataset.part("test"), context);
    const auto phase = context.clock.phase("fit");
    const Heads heads = fit(train, dev, test, range, context);
    task::Result result;
    result.metrics = metrics_of(heads.original);
    result.metrics["ndev"] = dataset.part("dev").size();
    result.metrics["ntest"] = dataset.part("test").size();
    result.metrics["range"] = metrics_of(heads.ranged);
    result.details = {{"passes", heads.original.passes}, {"range_passes", heads.ranged.passes}};
    result.outcomes = outcomes_of(dataset.part("test"), heads.original.yhat);
    return result;
}

} // namespace

Protocol relatedness_protocol(const learn::ScoreRange& range)
{
    return {"regression on |u-v| and u*v, trained, tuned and tested on three parts",
            [range](const Dataset& dataset, task::Context& context) {
                return run(dataset, context, range);
            },
            [range](const task::Settings& settings) {
                return core::Json{{"protocol", "relatedness"},
                                  {"seed", settings.seed},
                                  {"range", {range.low, range.high}}};
            }};
}

} // namespace senteval::tasks
