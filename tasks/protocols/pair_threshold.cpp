#include "tasks/protocols/mteb.hpp"

#include "measures/pairs.hpp"
#include "tasks/protocols/shared.hpp"
#include "tasks/protocols/similarity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

using Scores = std::vector<double>; ///< one a pair

bool is_zero(std::span<const float> vector)
{
    return std::ranges::all_of(vector, [](float value) { return value == 0; });
}

/// The similarities of all pairs, and those whose cosine is not defined.
struct Similarities {
    std::array<Scores, task::similarity_names.size()> by_kind;
    std::vector<std::uint32_t> without_cosine; ///< pairs with a zero vector
    std::vector<bool> are_both_zero;           ///< of those
};

Similarities similarities_of(const EmbeddedPart& pairs, const task::Settings& settings)
{
    Similarities result;
    each_pair(pairs, settings.treatment(), [&](std::size_t i, auto u, auto v) {
        for (std::size_t kind = 0; kind < result.by_kind.size(); ++kind)
            result.by_kind[kind].push_back(similarity(task::similarity_names[kind].second, u, v));
        if (is_zero(u) || is_zero(v)) {
            result.without_cosine.push_back(static_cast<std::uint32_t>(i));
            result.are_both_zero.push_back(is_zero(u) && is_zero(v));
        }
    });
    return result;
}

void add_measures(base::Json& metrics, const std::string& name, const measures::PairMeasures& found)
{
    metrics[name + "_ap"] = found.average_precision;
    metrics[name + "_accuracy"] = found.accuracy;
    metrics[name + "_f1"] = found.f1;
    metrics[name + "_precision"] = found.precision;
    metrics[name + "_recall"] = found.recall;
}

/// Shares, under MTEB's keys, cut as MTEB cuts.
base::Json mteb_measures(const Similarities& similarities,
                         std::span<const double> gold,
                         task::Similarity chosen)
{
    base::Json metrics;
    const auto add = [&](const std::string& name, std::span<const double> scores) {
        add_measures(metrics, name, measures::pair_measures(gold, scores, measures::Cuts::mteb));
    };
    for (std::size_t kind = 0; kind < similarities.by_kind.size(); ++kind) {
        const auto& [name, similarity] = task::similarity_names[kind];
        Scores scores = similarities.by_kind[kind];
        if (similarity == chosen)
            add("similarity", scores);
        if (similarity == task::Similarity::cosine)
            for (std::size_t i = 0; i < similarities.without_cosine.size(); ++i)
                scores[similarities.without_cosine[i]] = similarities.are_both_zero[i] ? 1 : 0.5;
        add(std::string(name), scores);
    }
    const base::Json each = metrics;
    for (const std::string measure : {"ap", "accuracy", "f1", "precision", "recall"}) {
        double most = 0;
        for (const auto& [key, value] : each.items())
            if (key.ends_with("_" + measure))
                most = std::max(most, value.get<double>());
        metrics["max_" + measure] = most;
    }
    return metrics;
}

task::Result run_pairs(const Dataset& dataset, task::Context& context)
{
    const Part& test = dataset.part("test");
    const EmbeddedPart pairs = embed(test, context);
    const auto phase = context.clock.phase("score");
    const Similarities similarities = similarities_of(pairs, context.settings);
    const std::vector<double> gold(test.labels.begin(), test.labels.end());

    task::Result result = untrained_result(context.settings, "score");
    for (std::size_t kind = 0; kind < similarities.by_kind.size(); ++kind) {
        const std::string name(task::similarity_names[kind].first);
        const Scores& scores = similarities.by_kind[kind];
        const auto found = measures::pair_measures(gold, scores);
        result.metrics[name + "_ap"] = 100 * found.average_precision;
        result.metrics[name + "_accuracy"] = 100 * found.accuracy;
        result.metrics[name + "_f1"] = 100 * found.f1;
        result.details["thresholds"][name] = {{"accuracy", found.accuracy_threshold},
                                              {"f1", found.f1_threshold}};
        result.outcomes.further.push_back({name, scores});
    }
    result.metrics["mteb"] =
        mteb_measures(similarities, gold, context.settings.followed_similarity());
    result.metrics["ntest"] = test.size();
    if (!similarities.without_cosine.empty())
        result.details["pairs_with_zero_vector"] = similarities.without_cosine.size();
    add_group(result.outcomes, "", gold, similarities.by_kind.front());
    return result;
}

std::vector<results::Metric> pair_metrics()
{
    std::vector<results::Metric> metrics;
    const auto add = [&](std::string_view name, const char* key, const char* title,
                         const char* statistic) {
        metrics.push_back(percent_metric(fmt::format("{}_{}", name, key),
                                         fmt::format("{} by {}", title, name),
                                         {statistic, std::string(name)}));
    };
    for (const auto& [name, kind] : task::similarity_names) {
        add(name, "ap", "average precision", "average precision");
        add(name, "accuracy", "best accuracy", "best accuracy");
        add(name, "f1", "best F1", "best f1");
    }
    return metrics;
}

} // namespace

Protocol pair_threshold_protocol()
{
    return {"similarity of each pair, which should tell pairs that belong together; nothing is "
            "trained",
            pair_metrics(), run_pairs, [](const task::Settings& settings) {
                return mteb_settings(settings, "pair-threshold", true);
            }};
}

} // namespace senteval::tasks
