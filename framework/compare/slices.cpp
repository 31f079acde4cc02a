#include "compare/slices.hpp"

#include "compare/scoring.hpp"
#include "core/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace senteval::compare {
namespace {

/// One way of dividing the test items of a task into parts.
struct Division {
    std::string by; ///< as a title says it
    std::vector<std::string> parts;
    /// Index of the part that row belongs to; nothing where it belongs to none.
    std::function<std::optional<std::size_t>(const run::Items& items, std::size_t row)> part_of;
    bool by_class = false; ///< parts are gold classes
};

constexpr std::size_t most_classes = 20;

/// Index of the first upper edge that is not below the value; the last bin has none.
std::size_t bin_of(double value, const std::vector<double>& upper_edges)
{
    return static_cast<std::size_t>(
        std::lower_bound(upper_edges.begin(), upper_edges.end(), value) - upper_edges.begin());
}

/// Bins of a trait; items where it is NaN belong to none.
Division binned(std::string by,
                std::vector<std::string> parts,
                std::vector<double> upper_edges,
                std::function<double(const run::ItemTraits&)> trait)
{
    return {std::move(by), std::move(parts),
            [upper_edges = std::move(upper_edges), trait = std::move(trait)](
                const run::Items& items, std::size_t row) -> std::optional<std::size_t> {
                const double value = trait(items.traits[row]);
                if (std::isnan(value))
                    return std::nullopt;
                return bin_of(value, upper_edges);
            },
            false};
}

double longest(const run::ItemTraits& traits)
{
    return std::max(traits.tokens_first, traits.tokens_second);
}

Division by_length(bool pairs)
{
    const std::string by =
        pairs ? "length of the longer sentence, tokens" : "sentence length, tokens";
    return binned(by, {"≤ 4", "5–9", "10–14", "15–19", "20–29", "≥ 30"}, {4, 9, 14, 19, 29},
                  longest);
}

Division by_unknown_words()
{
    // Edges are shares of small integers, stored as float: a little slack keeps 1/10 below 10 %.
    return binned("share of unknown words, %", {"0", "≤ 10", "10–25", "25–50", "> 50"},
                  {0, 10.00001, 25.00001, 50.00001},
                  [](const run::ItemTraits& traits) { return 100.0 * double{traits.unknown}; });
}

Division by_overlap()
{
    return binned("overlap of the pair, % of its words",
                  {"≤ 20", "20–40", "40–60", "60–80", "> 80"},
                  {20.00001, 40.00001, 60.00001, 80.00001},
                  [](const run::ItemTraits& traits) { return 100.0 * double{traits.overlap}; });
}

Division by_class(const std::vector<std::string>& classes)
{
    return {"gold class", classes,
            [](const run::Items& items, std::size_t row) {
                return std::optional(static_cast<std::size_t>(items.outcomes.rows[row].gold));
            },
            true};
}

/// The divisions that make sense for the items: see slices.hpp.
std::vector<Division> divisions_of(const run::Items& items)
{
    const bool pairs =
        std::any_of(items.traits.begin(), items.traits.end(),
                    [](const run::ItemTraits& traits) { return !std::isnan(traits.overlap); });
    std::vector<Division> divisions = {by_length(pairs), by_unknown_words()};
    if (pairs)
        divisions.push_back(by_overlap());
    if (items.outcomes.kind == "class" && items.outcomes.classes.size() <= most_classes)
        divisions.push_back(by_class(items.outcomes.classes));
    return divisions;
}

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// The part of every item, `none` where it has none or the metric is not made of it.
using Assignment = std::vector<std::size_t>;

Assignment assign(const run::Items& items, const Division& division, const task::Source& source)
{
    Assignment assignment;
    for (std::size_t row = 0; row < items.outcomes.rows.size(); ++row)
        assignment.push_back(takes(source, items.outcomes.groups[items.outcomes.rows[row].group])
                                 ? division.part_of(items, row).value_or(none)
                                 : none);
    return assignment;
}

/// The items of one part.
run::Items part_of(const run::Items& items, const Assignment& assignment, std::size_t part)
{
    run::Items result;
    result.outcomes.groups = items.outcomes.groups;
    for (const task::Series& series : items.outcomes.further)
        result.outcomes.further.push_back({series.name, {}});
    for (std::size_t row = 0; row < assignment.size(); ++row)
        if (assignment[row] == part) {
            result.outcomes.rows.push_back(items.outcomes.rows[row]);
            result.traits.push_back(items.traits[row]);
            for (std::size_t s = 0; s < result.outcomes.further.size(); ++s)
                result.outcomes.further[s].predictions.push_back(
                    items.outcomes.further[s].predictions[row]);
        }
    return result;
}

/// Of all items of a part together: a part may hold few of a subset.
task::Metric on_part(task::Metric metric, bool by_class)
{
    if (by_class)
        return {"", "found of the class", task::percent, 2, true, {"accuracy", ""}};
    metric.source.over = task::Over::items;
    return metric;
}

/// One block that is still to be filled, and what from.
struct Job {
    Slices slices;
    Assignment assignment;
    std::vector<std::size_t> parts; ///< those of the division that have items
    std::vector<const Row*> rows;
    std::size_t task = 0;
    bool items_only = false;
};

Job new_job(const TaskComparison& compared,
            std::size_t task,
            const Division& division,
            Assignment assignment)
{
    Job job;
    job.task = task;
    job.slices.task = compared.task;
    job.slices.by = division.by;
    job.slices.by_class = division.by_class;
    job.slices.metric = on_part(compared.metric, division.by_class);
    job.slices.has_data_warning = std::ranges::any_of(
        compared.entries, [](const Entry& entry) { return !entry.data_warnings.empty(); });
    for (std::size_t part = 0; part < division.parts.size(); ++part) {
        const auto count = std::ranges::count(assignment, part);
        if (count == 0)
            continue;
        job.parts.push_back(part);
        job.slices.parts.push_back(division.parts[part]);
        job.slices.items.push_back(static_cast<std::size_t>(count));
    }
    job.assignment = std::move(assignment);
    return job;
}

/// Of many rows those with the best values of the whole set, in their order.
void keep_best(Job& job, const Results& results, const TaskComparison& compared, std::size_t most)
{
    if (job.rows.size() <= most)
        return;
    const auto value = [&](const Row* row) {
        return compared.entries[static_cast<std::size_t>(row - results.rows().data())].score.value;
    };
    job.slices.by += fmt::format("; the best {} of {}", most, job.rows.size());
    std::ranges::stable_sort(job.rows, [&](const Row* a, const Row* b) {
        return compared.metric.is_better(value(a), value(b));
    });
    job.rows.resize(most);
    std::ranges::sort(job.rows);
}

/// The blocks of one task and one division: rows that divide the items alike share one.
void add_jobs(const Results& results,
              const TaskComparison& compared,
              std::size_t division_index,
              std::size_t most_rows,
              std::vector<Job>& jobs)
{
    const std::size_t task = index_of(results, compared.task);
    std::map<Assignment, std::size_t> places; // among the own jobs
    std::vector<Job> own;
    for (const Row& row : results.rows()) {
        const Runs& runs = row.tasks[task];
        if (runs.empty() || runs.front()->items.outcomes.rows.empty())
            continue;
        const auto divisions = divisions_of(runs.front()->items);
        if (division_index >= divisions.size())
            continue;
        const Division& division = divisions[division_index];
        Assignment assignment = assign(runs.front()->items, division, compared.metric.source);
        const auto [at, is_new] = places.try_emplace(assignment, own.size());
        if (is_new)
            own.push_back(new_job(compared, task, division, std::move(assignment)));
        own[at->second].rows.push_back(&row);
    }
    for (Job& job : own) {
        if (job.parts.size() < 2)
            continue;
        if (own.size() > 1) // whose division it is
            job.slices.by +=
                job.rows.size() == 1
                    ? fmt::format("; {}", job.rows.front()->label)
                    : fmt::format("; {} and {} more", job.rows.front()->label, job.rows.size() - 1);
        keep_best(job, results, compared, most_rows);
        for (const Row* row : job.rows) {
            job.slices.rows.push_back(row->label);
            job.slices.scores.emplace_back(job.parts.size());
        }
        jobs.push_back(std::move(job));
    }
}

/// The score of a row on a part; unknown where some run has other items, or no value.
SliceScore score_on(const Job& job, const Row& row, std::size_t at)
{
    stats::Fits fits;
    stats::Sources sources;
    SliceScore score{0};
    const Runs& runs = row.tasks[job.task];
    for (const run::Cell* cell : runs) {
        if (cell->items.outcomes.rows.size() != job.assignment.size())
            return {};
        const run::Items items = part_of(cell->items, job.assignment, job.parts[at]);
        stats::Statistic statistic = statistic_of(items, job.slices.metric);
        score.value += statistic.value / static_cast<double>(runs.size());
        fits.seeds.push_back({0, statistic.value, std::move(statistic.influence)});
        sources = sources_of(items, job.slices.metric);
    }
    const std::size_t items = job.slices.items[at];
    if (std::isnan(score.value) || items < fewest_items || fits.seeds.front().influence.empty())
        return score;
    const stats::Variances variances(std::span(&fits, 1), sources);
    score.interval =
        interval_of(score.value, variances.of_score(0, is_share(job.slices.metric), job.items_only),
                    job.slices.metric, items);
    return score;
}

} // namespace

std::vector<Slices>
slices_of(const Results& results, const Comparison& comparison, std::size_t most_rows)
{
    constexpr std::size_t most_divisions = 4;
    std::vector<Job> jobs;
    for (const TaskComparison& compared : comparison.tasks)
        for (std::size_t division = 0;
             division < most_divisions && !compared.metric.source.statistic.empty(); ++division)
            add_jobs(results, compared, division, most_rows, jobs);
    std::vector<std::pair<Job*, std::size_t>> slots;
    for (Job& job : jobs) {
        job.items_only = comparison.options.items_only;
        for (std::size_t part = 0; part < job.parts.size(); ++part)
            slots.emplace_back(&job, part);
    }
    core::parallel_for(slots.size(), comparison.options.threads, [&](std::size_t slot) {
        const auto [job, part] = slots[slot];
        for (std::size_t row = 0; row < job->rows.size(); ++row)
            job->slices.scores[row][part] = score_on(*job, *job->rows[row], part);
    });
    std::vector<Slices> slices;
    slices.reserve(jobs.size());
    for (Job& job : jobs)
        slices.push_back(std::move(job.slices));
    return slices;
}

} // namespace senteval::compare
