// The protocol 'multilabel': the nearest training items vote on each of several labels.
#include "base/error.hpp"
#include "learn/draws.hpp"
#include "learn/neighbours.hpp"
#include "measures/labels.hpp"
#include "tasks/protocols/mteb.hpp"
#include "tasks/protocols/shared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

constexpr std::size_t neighbours = 5;

/// The labels that the test part has, numbered anew: MTEB drops the others.
class TestLabels {
public:
    TestLabels(const Part& test, std::size_t classes) : number_(classes, none)
    {
        std::vector<bool> is_there(classes);
        for (const auto& labels : test.label_sets)
            for (const std::uint32_t label : labels)
                is_there[label] = true;
        for (std::size_t label = 0; label < classes; ++label)
            if (is_there[label])
                number_[label] = count_++;
    }

    [[nodiscard]] std::size_t count() const { return count_; }

    /// Returns, for those items, a matrix items x count(): 1 where the item has the label.
    [[nodiscard]] std::vector<std::uint8_t> has(const Part& part,
                                                std::span<const std::uint32_t> items) const
    {
        std::vector<std::uint8_t> result(items.size() * count_);
        for (std::size_t i = 0; i < items.size(); ++i)
            for (const std::uint32_t label : part.label_sets[items[i]])
                if (number_[label] != none)
                    result[i * count_ + number_[label]] = 1;
        return result;
    }

private:
    static constexpr std::size_t none = ~std::size_t{0};
    std::vector<std::size_t> number_;
    std::size_t count_ = 0;
};

struct ItemMetric {
    const char* path;
    const char* title;
};
/// Means over the items.
constexpr std::array<ItemMetric, 3> item_metrics{{
    {"accuracy", "share of items with all labels right"},
    {"lrap", "label ranking average precision"},
    {"hamming", "label overlap (Jaccard)"},
}};

/// Training items, then test items.
embedding::Embeddings
joined(const EmbeddedPart& train, const EmbeddedPart& test, std::vector<std::uint32_t>& columns)
{
    for (const EmbeddedPart* part : {&train, &test})
        columns.insert(columns.end(), part->first.columns.begin(), part->first.columns.end());
    return {train.first.store, columns, train.first.padding};
}

task::Result
run_multilabel(const FewShotRules& rules, const Dataset& dataset, task::Context& context)
{
    const Part& train = dataset.part("train");
    const Part& test = dataset.part("test");
    const EmbeddedPart of_train = embed(train, context);
    const EmbeddedPart of_test = embed(test, context);
    std::vector<std::uint32_t> columns;
    const auto phase = context.clock.phase("fit");
    const learn::DesignMatrix matrix(
        features_by_training(learn::Features::single(joined(of_train, of_test, columns)),
                             learn::Features::single(of_train.first), context.settings));
    std::vector<std::uint32_t> tested(test.size());
    std::iota(tested.begin(), tested.end(), static_cast<std::uint32_t>(train.size()));
    const auto test_items = first_numbers(test.size());
    const TestLabels labels(test, dataset.classes.size());
    const auto has = labels.has(test, test_items);
    const std::vector<double> gold(has.begin(), has.end());

    task::Result result;
    result.outcomes.kind = "value";
    learn::NumpyGenerator random(fixed_seed(context.settings));
    for (const auto& part : rules.earlier)
        for (std::size_t e = 0; e < rules.experiments; ++e) {
            auto rows = first_numbers(part.at(0));
            random.shuffle(rows);
        }
    for (std::size_t e = 0; e < rules.experiments; ++e) {
        if (context.stop.stop_requested())
            throw base::Cancelled();
        const auto chosen =
            learn::draw_per_label(train.label_sets, rules.samples_per_label, random);
        const auto near = learn::nearest_neighbours(matrix, chosen, tested, neighbours);
        const auto votes =
            learn::majority_votes(near, neighbours, labels.has(train, chosen), labels.count());
        const std::vector<double> predicted(votes.begin(), votes.end());
        const std::array of_items = {measures::exact_matches(gold, predicted, labels.count()),
                                     measures::label_ranking(gold, predicted, labels.count()),
                                     measures::label_overlaps(gold, predicted, labels.count())};
        base::Json scores = {
            {"f1", 100 * measures::multilabel_f1(gold, predicted, labels.count()).value}};
        for (std::size_t m = 0; m < item_metrics.size(); ++m) {
            scores[item_metrics[m].path] = mean_percent(of_items[m]);
            result.outcomes.further.push_back(
                {fmt::format("{} {}", item_metrics[m].path, e + 1), of_items[m]});
        }
        for (const auto& [key, value] : scores.items())
            result.metrics[key] = result.metrics.value(key, 0.0) +
                                  value.get<double>() / static_cast<double>(rules.experiments);
        result.details["experiments"].push_back(scores);
        result.details["learned_from"].push_back(chosen.size());
    }
    result.metrics["ntest"] = test.size();
    add_group(result.outcomes, "", {}, result.outcomes.further.front().predictions);
    return result;
}

std::vector<results::Metric> multilabel_metrics(const FewShotRules& rules)
{
    std::vector<results::Metric> metrics;
    for (const ItemMetric& one : item_metrics)
        metrics.push_back(mean_metric(one.path, one.title, one.path, rules.experiments));
    metrics.push_back(percent_metric("f1", "macro-F1 over labels"));
    return metrics;
}

} // namespace

Protocol multilabel_protocol(const FewShotRules& rules)
{
    return {"several labels an item, voted on by the nearest of a few training items",
            multilabel_metrics(rules), std::bind_front(run_multilabel, rules),
            std::bind_front(few_shot_settings, rules, "multilabel")};
}

} // namespace senteval::tasks
