#include "made_cells.hpp"

#include "base/fingerprint.hpp"
#include "compare/scoring.hpp"

#include <algorithm>
#include <limits>

namespace senteval::test {

std::vector<results::Metric> usual_metrics()
{
    return {
        {"acc", "accuracy", results::percent, 2, true, {"accuracy", ""}},
        {"devacc", "development accuracy", results::percent, 2, true},
        {"pearson", "Pearson's r", results::correlation, 4, true, {"pearson", ""}},
        {"spearman", "Spearman's ρ", results::correlation, 4, true, {"spearman", ""}},
        {"mse", "mean squared error", "squared error", 4, false, {"squared error", ""}},
        {"all.pearson.wmean",
         "Pearson's r",
         results::correlation,
         4,
         true,
         {"pearson", "", {}, results::Over::weighted_groups}},
        {"surprise.OnWN.pearson",
         "Pearson's r",
         results::correlation,
         4,
         true,
         {"pearson", "", {"part1"}}},
        {"other.pearson", "Pearson's r", results::correlation, 4, true, {"pearson", "other"}},
    };
}

results::Cell made(const MadeCell& cell)
{
    results::Result result;
    result.program = "senteval 0";
    result.encoder.label = cell.encoder;
    result.encoder.id = "test.encoder";
    result.encoder.version = "1";
    result.encoder.parameters = cell.parameters;
    result.encoder.dimension = cell.dimension;
    result.encoder.fingerprint = base::fingerprint(cell.encoder + cell.parameters.dump());
    result.task = {cell.task, "a line", cell.headline, cell.described, {}};
    result.protocol = {1, cell.settings, base::fingerprint(cell.task + cell.settings.dump())};
    result.protocol.deterministic = result.protocol.draws_nothing();
    result.data.files = {{cell.task + ".txt", "0123"}};
    result.dimension = cell.projected_to;
    result.metrics = cell.metrics;
    result.run.date = "2026-01-31T12:00:00Z";
    result.run.seconds = {{"embed", 2.0}, {"load", 1.0}, {"total", 3.0}};
    return {result, cell.items};
}

MadeCell trained(const std::string& encoder, int right, int seed)
{
    MadeCell cell;
    cell.encoder = encoder;
    cell.parameters = {{"name", encoder}};
    cell.settings = {{"protocol", "split"}, {"seed", seed}};
    cell.metrics = {{"acc", right / 2.0}};
    std::vector<std::pair<int, int>> outcomes;
    for (int i = 0; i < 200; ++i)
        outcomes.emplace_back(1, i < right ? 1 : 0);
    cell.items = class_items(outcomes, std::vector<std::uint32_t>(200, 1));
    return cell;
}

results::Cell
untrained(const std::string& encoder, const std::string& task, std::size_t items, std::size_t right)
{
    MadeCell cell;
    cell.encoder = encoder;
    cell.parameters = {{"name", encoder}};
    cell.settings = {{"protocol", "similarity"}};
    cell.task = task;
    cell.metrics = {{"acc", 100.0 * static_cast<double>(right) / static_cast<double>(items)}};
    std::vector<std::pair<int, int>> outcomes;
    for (std::size_t i = 0; i < items; ++i)
        outcomes.emplace_back(1, i < right ? 1 : 0);
    cell.items = class_items(outcomes, std::vector<std::uint32_t>(items, 1));
    return made(cell);
}

results::Cell scored(const std::string& encoder,
                     const std::string& task,
                     const std::vector<std::pair<double, double>>& gold_and_prediction)
{
    MadeCell cell;
    cell.encoder = encoder;
    cell.parameters = {{"name", encoder}};
    cell.task = task;
    cell.settings = {{"protocol", "similarity"}};
    cell.headline = "pearson";
    cell.items =
        pair_items(gold_and_prediction, std::vector<std::uint32_t>(gold_and_prediction.size(), 0));
    for (const char* name : {"pearson", "spearman", "mse"})
        cell.metrics[name] =
            compare::statistic_of(cell.items, *results::find_metric(cell.described, name)).value;
    return made(cell);
}

results::Items class_items(const std::vector<std::pair<int, int>>& gold_and_prediction,
                           const std::vector<std::uint32_t>& tokens)
{
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    results::Items items;
    items.outcomes.kind = "class";
    items.outcomes.classes = {"no", "yes"};
    items.outcomes.groups = {""};
    for (std::uint32_t i = 0; i < gold_and_prediction.size(); ++i) {
        const auto& [gold, prediction] = gold_and_prediction[i];
        items.outcomes.rows.push_back({i, 0, double(gold), double(prediction), 0.5 + 0.01 * i});
        items.traits.push_back({tokens[i], 0, nan, nan});
    }
    return items;
}

results::Items pair_items(const std::vector<std::pair<double, double>>& gold_and_prediction,
                          const std::vector<std::uint32_t>& groups)
{
    results::Items items;
    items.outcomes.kind = "score";
    for (std::uint32_t group = 0; group <= *std::max_element(groups.begin(), groups.end()); ++group)
        items.outcomes.groups.push_back("part" + std::to_string(group));
    for (std::uint32_t i = 0; i < gold_and_prediction.size(); ++i) {
        const auto& [gold, prediction] = gold_and_prediction[i];
        items.outcomes.rows.push_back({i, groups[i], gold, prediction, prediction});
        items.traits.push_back({4 + i, 3, 0.1F * static_cast<float>(i), 0.0F});
    }
    return items;
}

} // namespace senteval::test
