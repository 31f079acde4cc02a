#include "tasks/protocols/mteb.hpp"

#include "measures/pairs.hpp"
#include "tasks/protocols/shared.hpp"
#include "tasks/protocols/similarity.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

void add_measures(base::Json& metrics, const std::string& name, const measures::PairMeasures& found)
{
    metrics[name + "_ap"] = found.average_precision;
    metrics[name + "_accuracy"] = found.accuracy;
    metrics[name + "_f1"] = found.f1;
    metrics[name + "_precision"] = found.precision;
    metrics[name + "_recall"] = found.recall;
}

/// Shares, under MTEB's keys, cut as MTEB cuts.
base::Json mteb_measures(const PairSimilarities& similarities,
                         std::span<const double> gold,
                         task::Similarity chosen)
{
    base::Json metrics;
    const auto add = [&](const std::string& name, std::span<const double> scores) {
        add_measures(metrics, name, measures::pair_measures(gold, scores, measures::Cuts::mteb));
    };
    for (const auto& [name, kind] : task::similarity_names)
        add(std::string(name),
            kind == task::Similarity::cosine ? similarities.mteb_cosine : similarities.of(kind));
    add("similarity", similarities.of(chosen));
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

/// The greatest value of any similarity, with the scores of that one.
void add_greatest(task::Result& result)
{
    const std::vector<results::Series> all = result.outcomes.further;
    for (const std::string measure : {"ap", "accuracy", "f1"}) {
        const auto value = [&](const results::Series& one) {
            return result.metrics[one.name + "_" + measure].get<double>();
        };
        const auto best = std::ranges::max_element(all, {}, value);
        result.metrics["max_" + measure] = value(*best);
        result.outcomes.further.push_back({"max_" + measure, best->predictions});
    }
}

task::Result run_pairs(const Dataset& dataset, task::Context& context)
{
    const Part& test = dataset.part("test");
    const EmbeddedPart pairs = embed(test, context);
    const auto phase = context.clock.phase("score");
    const PairSimilarities similarities =
        pair_similarities(test, pairs, context.settings.treatment());
    const std::vector<double> gold(test.labels.begin(), test.labels.end());

    task::Result result = untrained_result(context.settings, "score");
    for (const auto& [key, kind] : task::similarity_names) {
        const std::string name(key);
        const auto& scores = similarities.of(kind);
        const auto found = measures::pair_measures(gold, scores);
        result.metrics[name + "_ap"] = 100 * found.average_precision;
        result.metrics[name + "_accuracy"] = 100 * found.accuracy;
        result.metrics[name + "_f1"] = 100 * found.f1;
        result.details["thresholds"][name] = {{"accuracy", found.accuracy_threshold},
                                              {"f1", found.f1_threshold}};
        result.outcomes.further.push_back({name, scores});
    }
    add_greatest(result);
    result.metrics["mteb"] =
        mteb_measures(similarities, gold, context.settings.followed_similarity());
    result.metrics["ntest"] = test.size();
    if (similarities.without_cosine > 0)
        result.details["pairs_with_zero_vector"] = similarities.without_cosine;
    add_group(result.outcomes, "", gold, similarities.of(task::Similarity::cosine));
    return result;
}

std::vector<results::Metric> pair_metrics()
{
    std::vector<results::Metric> metrics;
    const auto add = [&](std::string_view name, std::string_view by, bool is_greatest) {
        for (const auto& [key, title, statistic] :
             {std::tuple("ap", "average precision", "average precision"),
              std::tuple("accuracy", "best accuracy", "best accuracy"),
              std::tuple("f1", "best F1", "best f1")}) {
            const std::string path = fmt::format("{}_{}", name, key);
            metrics.push_back(percent_metric(path, fmt::format("{} by {}", title, by),
                                             {statistic, is_greatest ? path : std::string(name)}));
        }
    };
    for (const auto& [name, kind] : task::similarity_names)
        add(name, name, false);
    add("max", "the best similarity", true);
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
