#include "tasks/protocols/mteb.hpp"

#include "stats/correlation.hpp"
#include "tasks/protocols/shared.hpp"
#include "tasks/protocols/similarity.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

constexpr std::array kinds = {task::Similarity::cosine, task::Similarity::dot};

/// The machine summaries of one text.
struct SummaryScores {
    std::vector<double> gold;
    std::array<std::vector<double>, kinds.size()> nearest; ///< similarity to the nearest human one
};

bool is_constant(const std::vector<double>& values)
{
    return std::ranges::all_of(values, [&](double value) { return value == values.front(); });
}

std::vector<SummaryScores> judge_texts(const Dataset& dataset, task::Context& context)
{
    const Part& human = dataset.part("human");
    const Part& machine = dataset.part("machine");
    const EmbeddedPart by_people = embed(human, context);
    const EmbeddedPart by_machines = embed(machine, context);
    const auto phase = context.clock.phase("score");
    const auto normaliser =
        fit_on_all(context.settings.treatment(), {&by_people.first, &by_machines.first});
    const std::size_t dimension = by_people.first.dimension();
    const auto vector = [&](const EmbeddedPart& part, std::size_t i) {
        std::vector<float> result(dimension);
        normaliser.apply({part.first.vector(i), dimension}, result.data());
        return result;
    };
    std::vector<std::vector<std::vector<float>>> of_text(dataset.part("texts").size());
    for (std::size_t i = 0; i < human.size(); ++i)
        of_text[human.labels[i]].push_back(vector(by_people, i));
    std::vector<SummaryScores> judged(of_text.size());
    for (std::size_t i = 0; i < machine.size(); ++i) {
        SummaryScores& text = judged[machine.labels[i]];
        text.gold.push_back(machine.scores[i]);
        const auto mine = vector(by_machines, i);
        for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
            double nearest = -std::numeric_limits<double>::infinity();
            for (const auto& other : of_text[machine.labels[i]])
                nearest = std::max(nearest, similarity(kinds[kind], mine, other));
            text.nearest[kind].push_back(nearest);
        }
    }
    return judged;
}

struct Kind {
    const char* path;
    const char* title;
    std::size_t kind; ///< of `kinds`
    bool of_ranks;
};

constexpr std::array<Kind, 4> correlations{{
    {"cosine_spearman", "Spearman's ρ of the cosine", 0, true},
    {"cosine_pearson", "Pearson's r of the cosine", 0, false},
    {"dot_spearman", "Spearman's ρ of the dot product", 1, true},
    {"dot_pearson", "Pearson's r of the dot product", 1, false},
}};

task::Result run_summarization(const Dataset& dataset, task::Context& context)
{
    const auto texts = judge_texts(dataset, context);
    const auto phase = context.clock.phase("score");
    task::Result result = untrained_result(context.settings, "value");
    result.outcomes.groups = {""};
    for (const Kind& one : correlations)
        result.outcomes.further.push_back({one.path, {}});
    for (std::uint32_t text = 0; text < texts.size(); ++text) {
        const SummaryScores& judged = texts[text];
        if (is_constant(judged.gold) || std::ranges::any_of(judged.nearest, is_constant))
            continue;
        for (std::size_t i = 0; i < correlations.size(); ++i) {
            const auto& near = judged.nearest[correlations[i].kind];
            result.outcomes.further[i].predictions.push_back(
                correlations[i].of_ranks ? stats::spearman(near, judged.gold).r
                                         : stats::pearson(near, judged.gold).r);
        }
        const double shown = result.outcomes.further.front().predictions.back();
        result.outcomes.rows.push_back({text, 0, 0, shown, shown});
    }
    for (const results::Series& series : result.outcomes.further)
        result.metrics[series.name] = mean_percent(series.predictions) / 100;
    result.metrics["ntexts"] = texts.size();
    if (result.outcomes.rows.size() < texts.size())
        result.details["texts_without_variance"] = texts.size() - result.outcomes.rows.size();
    return result;
}

std::vector<results::Metric> summarization_metrics()
{
    std::vector<results::Metric> metrics;
    for (const Kind& one : correlations)
        metrics.push_back(correlation_metric(one.path, one.title, {"mean", one.path}));
    return metrics;
}

} // namespace

Protocol summarization_protocol()
{
    return {"similarity of machine summaries to the nearest human one, correlated with scores",
            summarization_metrics(), run_summarization, [](const task::Settings& settings) {
                return mteb_settings(settings, "summarization");
            }};
}

} // namespace senteval::tasks
