#include "compare/slices.hpp"

#include "base/parallel.hpp"
#include "compare/scoring.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace senteval::compare {
namespace {

constexpr std::size_t most_classes = 20;
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// The test items of a task divided into parts, and the rows that divide them so.
struct Division {
    std::string by; ///< as a title says it
    std::vector<std::string> parts;
    std::vector<std::size_t> part_of_item = {}; ///< `none` where it belongs to none
    bool by_class = false;                      ///< parts are gold classes
    std::size_t number = 0;                     ///< among the ways of dividing
    std::vector<const Row*> rows = {};
};

/// Divides items by bins of a trait with inclusive upper edges; the last bin has none. NaN belongs to no bin.
Division binned(std::string by,
                std::vector<std::string> parts,
                const std::vector<double>& upper_edges,
                const results::Items& items,
                const auto& trait)
{
    Division division{std::move(by), std::move(parts)};
    for (const results::ItemTraits& traits : items.traits) {
        const double value = trait(traits);
        const auto edge = std::ranges::lower_bound(upper_edges, value);
        division.part_of_item.push_back(
            std::isnan(value) ? none : static_cast<std::size_t>(edge - upper_edges.begin()));
    }
    return division;
}

/// The divisions that make sense for the items: see slices.hpp.
std::vector<Division> divisions_of(const results::Items& items, const results::Source& source)
{
    // Edges are shares of small integers, stored as float: a little slack keeps 1/10 below 10 %.
    const bool pairs =
        std::any_of(items.traits.begin(), items.traits.end(),
                    [](const results::ItemTraits& traits) { return !std::isnan(traits.overlap); });
    std::vector<Division> divisions = {
        binned(pairs ? "length of the longer sentence, tokens" : "sentence length, tokens",
               {"≤ 4", "5–9", "10–14", "15–19", "20–29", "≥ 30"}, {4, 9, 14, 19, 29}, items,
               [](const results::ItemTraits& traits) {
                   return static_cast<double>(std::max(traits.tokens_first, traits.tokens_second));
               }),
        binned("share of unknown words, %", {"0", "≤ 10", "10–25", "25–50", "> 50"},
               {0, 10.00001, 25.00001, 50.00001}, items,
               [](const results::ItemTraits& traits) { return 100.0 * double{traits.unknown}; })};
    if (pairs)
        divisions.push_back(binned(
            "overlap of the pair, % of its words", {"≤ 20", "20–40", "40–60", "60–80", "> 80"},
            {20.00001, 40.00001, 60.00001, 80.00001}, items,
            [](const results::ItemTraits& traits) { return 100.0 * double{traits.overlap}; }));
    if (items.outcomes.kind == "class" && items.outcomes.classes.size() <= most_classes) {
        divisions.push_back({"gold class", items.outcomes.classes, {}, true});
        for (const results::ItemOutcome& row : items.outcomes.rows)
            divisions.back().part_of_item.push_back(static_cast<std::size_t>(row.gold));
    }
    for (std::size_t number = 0; number < divisions.size(); ++number) {
        divisions[number].number = number;
        for (std::size_t row = 0; row < items.outcomes.rows.size(); ++row)
            if (!takes(source, items.outcomes.groups[items.outcomes.rows[row].group]))
                divisions[number].part_of_item[row] = none; // the metric is not made of it
    }
    return divisions;
}

/// The metric over all items of a part together: a part may hold few of a subset.
results::Metric on_part(results::Metric metric, bool by_class)
{
    if (by_class)
        return {"", "found of the class", results::percent, 2, true, {"accuracy", ""}};
    metric.source.over = results::Over::items;
    return metric;
}

/// The score of a task's runs on a part of `count` items; unknown where some run has other items, or no value.
SliceScore score_on(const Runs& runs,
                    const Division& division,
                    std::size_t part,
                    std::size_t count,
                    const results::Metric& metric,
                    bool items_only)
{
    stats::Fits fits;
    stats::Sources sources;
    SliceScore score{0};
    for (const results::Cell* cell : runs) {
        if (cell->items.outcomes.rows.size() != division.part_of_item.size())
            return {};
        const results::Items items = items_where(
            cell->items, [&](std::size_t item) { return division.part_of_item[item] == part; });
        const auto all = by_fit(metric);
        for (const results::Metric& fit : all) {
            stats::Statistic statistic = statistic_of(items, fit);
            score.value += statistic.value / static_cast<double>(runs.size() * all.size());
            fits.seeds.push_back({0, statistic.value, std::move(statistic.influence)});
        }
        sources = sources_of(items, metric);
    }
    if (std::isnan(score.value) || count < fewest_items || fits.seeds.front().influence.empty())
        return score;
    const stats::Variances variances(std::span(&fits, 1), sources);
    score.interval = interval_of(score.value, variances.of_score(0, is_share(metric), items_only),
                                 metric, count);
    return score;
}

/// Rows that divide the items alike share a division.
std::vector<Division>
divisions_of(const Results& results, std::size_t task, const results::Metric& metric)
{
    std::vector<Division> all;
    for (const Row& row : results.rows()) {
        const Runs& runs = row.tasks[task];
        if (runs.empty() || runs.front()->items.outcomes.rows.empty())
            continue;
        for (Division& own : divisions_of(runs.front()->items, metric.source)) {
            auto same = std::ranges::find_if(all, [&](const Division& any) {
                return any.number == own.number && any.part_of_item == own.part_of_item;
            });
            if (same == all.end())
                same = all.insert(same, std::move(own));
            same->rows.push_back(&row);
        }
    }
    std::ranges::stable_sort(all, {}, &Division::number);
    return all;
}

Slices block_of(const Division& division,
                std::size_t task,
                const TaskComparison& compared,
                bool items_only)
{
    Slices block;
    block.task = compared.task;
    block.by = division.by;
    block.by_class = division.by_class;
    block.metric = on_part(compared.metric, division.by_class);
    block.has_data_warning = std::ranges::any_of(
        compared.entries, [](const Entry& entry) { return !entry.data_warnings.empty(); });
    block.scores.resize(division.rows.size());
    for (const Row* row : division.rows)
        block.rows.push_back(row->label);
    for (std::size_t part = 0; part < division.parts.size(); ++part) {
        const auto count =
            static_cast<std::size_t>(std::ranges::count(division.part_of_item, part));
        if (count == 0)
            continue;
        block.parts.push_back(division.parts[part]);
        block.items.push_back(count);
        for (std::size_t row = 0; row < division.rows.size(); ++row)
            block.scores[row].push_back(score_on(division.rows[row]->tasks[task], division, part,
                                                 count, block.metric, items_only));
    }
    return block;
}

} // namespace

std::vector<Slices> slices_of(const Results& results, const Comparison& comparison)
{
    std::vector<std::vector<Slices>> by_task(comparison.tasks.size());
    base::parallel_for(by_task.size(), comparison.options.threads, [&](std::size_t at) {
        const TaskComparison& compared = comparison.tasks[at];
        if (compared.metric.source.statistic.empty())
            return;
        const std::size_t task = index_of(results, compared.task);
        for (const Division& division : divisions_of(results, task, compared.metric)) {
            Slices block = block_of(division, task, compared, comparison.options.items_only);
            if (block.parts.size() > 1)
                by_task[at].push_back(std::move(block));
        }
    });
    std::vector<Slices> slices;
    for (auto& own : by_task)
        std::ranges::move(own, std::back_inserter(slices));
    return slices;
}

} // namespace senteval::compare
