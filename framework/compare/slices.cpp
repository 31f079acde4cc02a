#include "compare/slices.hpp"

#include "compare/divisions.hpp"
#include "compare/scoring.hpp"
#include "core/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace senteval::compare {
namespace {

constexpr std::size_t most_resamples = 2000;
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
            for (std::size_t s = 0; s < result.outcomes.further.size(); ++s)
                result.outcomes.further[s].predictions.push_back(
                    items.outcomes.further[s].predictions[row]);
        }
    return result;
}

report::Measured score_on(const Runs& runs,
                          const Assignment& assignment,
                          std::size_t part,
                          const task::Metric& metric,
                          const stats::Resampling& resampling)
{
    const auto first =
        estimate_of(part_of(runs.front()->items, assignment, part), metric, resampling);
    double sum = 0;
    std::size_t count = 0;
    for (const run::Cell* cell : runs) {
        if (cell->items.outcomes.rows.size() != assignment.size())
            continue;
        const auto statistic = statistic_of(part_of(cell->items, assignment, part), metric);
        sum += statistic ? statistic->observed() * metric.scale() : core::nan;
        ++count;
    }
    const double mean = sum / static_cast<double>(count);
    const double shift = mean - first.value;
    return {mean, first.interval.low + shift, first.interval.high + shift};
}

/// The metric of all items of a part together: a part may hold few of a subset.
task::Metric on_part(task::Metric metric)
{
    metric.source.over = task::Over::items;
    return metric;
}

/// Of parts that are gold classes.
task::Metric share_found()
{
    return {"", "found of the class", task::percent, 2, true, {"accuracy", ""}};
}

/// One block of slices that is still to be filled, and what from.
struct Job {
    report::Slices slices;
    Assignment assignment;
    std::vector<std::size_t> parts; ///< those of the division that have items
    std::vector<const Row*> rows;
    std::size_t task = 0;
    task::Metric metric;
};

/// Keeps the parts that have items.
void count_parts(Job& job, const Division& division)
{
    for (std::size_t part = 0; part < division.parts.size(); ++part) {
        const auto count = std::count(job.assignment.begin(), job.assignment.end(), part);
        if (count == 0)
            continue;
        job.parts.push_back(part);
        job.slices.parts.push_back(division.parts[part]);
        job.slices.items.push_back(static_cast<std::size_t>(count));
    }
}

Job new_job(const Results& results,
            std::size_t task,
            const Division& division,
            Assignment assignment,
            const task::Metric& metric)
{
    Job job;
    job.assignment = std::move(assignment);
    job.task = task;
    job.metric = division.by_class ? share_found() : on_part(metric);
    job.slices.task = results.tasks()[task];
    job.slices.by = division.by;
    job.slices.unit = job.metric.axis();
    job.slices.decimals = job.metric.digits;
    count_parts(job, division);
    return job;
}

/// Says whose division it is, where rows divide differently.
std::string of_rows(const std::vector<const Row*>& rows)
{
    std::string text = fmt::format("; {}", rows.front()->label);
    if (rows.size() > 1)
        text += fmt::format(" and {} more", rows.size() - 1);
    return text;
}

/// The blocks of one task and one division: rows that divide the items alike share one.
void add_jobs(const Results& results,
              std::size_t task,
              std::size_t division_index,
              const task::Metric& metric,
              std::vector<Job>& jobs)
{
    std::map<Assignment, Job> by_assignment;
    std::vector<Assignment> order;
    for (std::size_t at_row = 0; at_row < results.rows().size(); ++at_row) {
        const Row& row = results.rows()[at_row];
        const Runs& runs = row.tasks[task];
        if (runs.empty() || runs.front()->items.outcomes.rows.empty() ||
            repeats_earlier(results, at_row, task))
            continue;
        const auto divisions = divisions_of(runs.front()->items);
        if (division_index >= divisions.size())
            continue;
        const Division& division = divisions[division_index];
        Assignment assignment = assign(runs.front()->items, division, metric.source);
        auto at = by_assignment.find(assignment);
        if (at == by_assignment.end()) {
            order.push_back(assignment);
            at = by_assignment
                     .emplace(assignment, new_job(results, task, division, assignment, metric))
                     .first;
        }
        at->second.rows.push_back(&row);
    }
    if (order.size() > 1)
        for (auto& [assignment, job] : by_assignment)
            job.slices.by += of_rows(job.rows);
    for (const Assignment& assignment : order)
        if (Job& job = by_assignment.at(assignment); job.parts.size() > 1)
            jobs.push_back(std::move(job));
}

void fill(std::vector<Job>& jobs, const stats::Resampling& resampling)
{
    struct Slot {
        Job* job;
        std::size_t row;
        std::size_t part;
    };
    std::vector<Slot> slots;
    for (Job& job : jobs)
        for (std::size_t row = 0; row < job.rows.size(); ++row) {
            job.slices.encoders.push_back(
                {job.rows[row]->label, std::vector<report::Measured>(job.parts.size())});
            for (std::size_t part = 0; part < job.parts.size(); ++part)
                slots.push_back({&job, row, part});
        }
    stats::Resampling options = resampling;
    options.resamples = std::min(options.resamples, most_resamples);
    options.threads = 1; // the slots are what runs in parallel
    core::parallel_for(slots.size(), resampling.threads, [&](std::size_t at) {
        const auto& [job, row, part] = slots[at];
        job->slices.encoders[row].values[part] =
            score_on(job->rows[row]->tasks[job->task], job->assignment, job->parts[part],
                     job->metric, options);
    });
}

std::string measured_text(const report::Measured& score, int decimals)
{
    if (!score.known())
        return "-";
    if (!score.has_interval())
        return fmt::format("{:.{}f}", score.value, decimals);
    return fmt::format("{:.{}f} [{:.{}f}, {:.{}f}]", score.value, decimals, score.low, decimals,
                       score.high, decimals);
}

} // namespace

std::vector<report::Slices>
slices_of(const Results& results, const Comparison& comparison, const stats::Resampling& resampling)
{
    constexpr std::size_t most_divisions = 4;
    std::vector<Job> jobs;
    for (const TaskComparison& compared : comparison.tasks) {
        if (compared.metric.source.statistic.empty())
            continue;
        const auto task = index_of(results, compared.task);
        for (std::size_t division = 0; division < most_divisions; ++division)
            add_jobs(results, task, division, compared.metric, jobs);
    }
    fill(jobs, resampling);
    std::vector<report::Slices> slices;
    for (Job& job : jobs)
        slices.push_back(std::move(job.slices));
    return slices;
}

std::string slices_to_terminal(const std::vector<report::Slices>& slices)
{
    std::string out;
    for (const report::Slices& block : slices) {
        out += fmt::format("{} by {}   ({})\n", block.task, block.by, block.unit);
        std::size_t width = 0;
        for (const report::Series& series : block.encoders)
            width = std::max(width, series.name.size());
        for (std::size_t part = 0; part < block.parts.size(); ++part) {
            out += fmt::format("  {}   {} items\n", block.parts[part], block.items[part]);
            for (const report::Series& series : block.encoders)
                out += fmt::format("    {:{}}  {}\n", series.name, width,
                                   measured_text(series.values[part], block.decimals));
        }
        out += '\n';
    }
    return out;
}

core::Json slices_to_json(const std::vector<report::Slices>& slices)
{
    core::Json all = core::Json::array();
    for (const report::Slices& block : slices) {
        core::Json parts = core::Json::array();
        for (std::size_t part = 0; part < block.parts.size(); ++part) {
            core::Json scores = core::Json::array();
            for (const report::Series& series : block.encoders) {
                const report::Measured& score = series.values[part];
                scores.push_back({{"encoder", series.name},
                                  {"value", score.value},
                                  {"interval", {score.low, score.high}}});
            }
            parts.push_back(
                {{"part", block.parts[part]}, {"items", block.items[part]}, {"scores", scores}});
        }
        all.push_back(
            {{"task", block.task}, {"by", block.by}, {"unit", block.unit}, {"parts", parts}});
    }
    return all;
}

} // namespace senteval::compare
