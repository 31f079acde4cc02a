#include "compare/slices.hpp"

#include "compare/divisions.hpp"
#include "compare/scoring.hpp"
#include "core/counted.hpp"
#include "core/parallel.hpp"
#include "stats/power.hpp"

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
constexpr std::size_t fewest_items = 30; ///< for an interval or a difference
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
    std::size_t reference = 0; ///< of the rows, the baseline or the best on the whole set
    std::map<const Row*, std::string>
        open; ///< why a row's difference has no verdict on the whole set
    std::map<const Row*, stats::Population>
        widest; ///< what a row's interval speaks of on the whole set
    bool trained = false;
    std::optional<stats::Population> population; ///< that was asked for
    stats::Resampling resampling;

    /// Where that was not asked for, the items alone would tell an encoder of one seed from itself, and seeds one
    /// of one small training set.
    [[nodiscard]] bool is_enough(stats::Population drawn) const
    {
        return !trained || drawn >= population.value_or(stats::Population::seeds);
    }
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
    job.trained = is_trained(results.any_cell(task));
    job.metric = division.by_class ? share_found() : on_part(metric);
    job.slices.task = results.tasks()[task];
    job.slices.by = division.by;
    job.slices.unit = job.metric.axis();
    job.slices.decimals = job.metric.digits;
    if (metric.unit == task::correlation && !division.by_class)
        job.slices.note =
            "A correlation is lower where the gold scores of a part lie closer together: "
            "compare encoders within a part, not parts with each other.";
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
    for (const Row& row : results.rows()) {
        const Runs& runs = row.tasks[task];
        if (runs.empty() || runs.front()->items.outcomes.rows.empty())
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
        Job& job = at->second;
        const auto score = [&](const Row& of) { return score_of(of.tasks[task], metric).value; };
        if (!job.rows.empty() && metric.is_better(score(row), score(*job.rows[job.reference])))
            job.reference = job.rows.size();
        job.rows.push_back(&row);
    }
    if (order.size() > 1)
        for (auto& [assignment, job] : by_assignment)
            job.slices.by += of_rows(job.rows);
    for (const Assignment& assignment : order)
        if (Job& job = by_assignment.at(assignment); job.parts.size() > 1)
            jobs.push_back(std::move(job));
}

/// Of the part in a run; nothing where that has other items, or no value.
std::optional<stats::Fit>
fit_on(const Job& job, const run::Cell& cell, std::size_t part, std::uint64_t seed)
{
    if (cell.items.outcomes.rows.size() != job.assignment.size())
        return std::nullopt;
    auto fit = fit_of(part_of(cell.items, job.assignment, part), job.metric, job.resampling);
    if (fit)
        fit->seed = seed;
    return fit;
}

/// Of the part in all runs of a row; nothing where some run has other items, or no value.
std::optional<stats::Scored> scored_on(const Job& job, const Row& row, std::size_t part)
{
    stats::Scored scored;
    for (const run::Cell* cell : row.tasks[job.task]) {
        auto fit = fit_on(job, *cell, part, seed_of(*cell));
        if (!fit)
            return std::nullopt;
        scored.fits.push_back(std::move(*fit));
    }
    if (job.widest.at(&row) < stats::Population::training)
        return scored; // its halves do not count on the whole set either
    for (const run::Cell* half : row.resampled[job.task])
        if (auto fit = fit_on(job, *half, part, resample_of(*half)))
            scored.resampled.push_back(std::move(*fit));
    return scored;
}

report::Measured around(double value, double standard_error, double freedom)
{
    const double half = stats::t_quantile(0.05, freedom) * standard_error;
    return {value, value - half, value + half};
}

/// Scores of all rows on a part, and their differences to the reference.
void fill_part(Job& job, std::size_t at)
{
    const std::size_t part = job.parts[at];
    std::vector<stats::Scored> scored;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < job.rows.size(); ++row)
        if (auto found = scored_on(job, *job.rows[row], part)) {
            scored.push_back(std::move(*found));
            rows.push_back(row);
        }
    if (scored.empty())
        return;
    const run::Items& items = job.rows[rows.front()]->tasks[job.task].front()->items;
    const stats::Crossed crossed(
        scored, sources_of(part_of(items, job.assignment, part), job.metric), is_share(job.metric),
        job.population.value_or(stats::Population::training));
    const bool enough = job.slices.items[at] >= fewest_items;
    const auto reference = std::find(rows.begin(), rows.end(), job.reference);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        report::Measured& value = job.slices.encoders[rows[i]].values[at];
        value.value = crossed.value(i);
        if (!enough)
            continue;
        const auto interval =
            interval_of(crossed.value(i), crossed.of_score(i), job.metric, job.slices.items[at]);
        value.low = interval.low;
        value.high = interval.high;
        if (reference == rows.end() || *reference == rows[i])
            continue;
        const auto other = static_cast<std::size_t>(reference - rows.begin());
        const stats::Spread spread = crossed.of_difference(i, other);
        const double difference = crossed.value(i) - crossed.value(other);
        report::Measured& measured = job.slices.differences[rows[i]].values[at];
        measured.value = difference;
        if (job.open.at(job.rows[rows[i]]).empty() && job.is_enough(spread.population))
            measured = around(difference, spread.standard_error, spread.freedom);
    }
}

/// Whom the intervals of a row's scores speak of.
stats::Population population_of(const Job& job, const Row& row)
{
    const auto own = !job.trained || row.resampled[job.task].size() >= stats::fewest_halves
                         ? stats::Population::training
                     : row.tasks[job.task].size() > 1 ? stats::Population::seeds
                                                      : stats::Population::items;
    return job.trained ? std::min(own, job.widest.at(&row)) : own;
}

/// Whom the intervals speak of, and what they do not take in.
std::string claim_of(const Job& job)
{
    std::map<stats::Population, std::vector<std::string>> rows;
    std::vector<std::string> reasons;
    for (const Row* row : job.rows) {
        rows[population_of(job, *row)].push_back(row->label);
        if (const std::string& why = job.open.at(row); !why.empty())
            add_distinct(std::vector{why}, reasons);
    }
    std::vector<std::string> claims;
    claims.reserve(rows.size());
    for (const auto& [population, labels] : rows)
        claims.push_back((rows.size() > 1 ? fmt::format("of {}: ", fmt::join(labels, ", ")) : "") +
                         words_for(population, job.trained));
    std::string text =
        fmt::format("Intervals are about {}{}", rows.size() > 1 ? "what differs by row: " : "",
                    fmt::join(claims, "; "));
    if (rows.size() > 1)
        text += "; a difference is about the narrower of its two";
    if (rows.contains(stats::Population::items) && !job.is_enough(stats::Population::items))
        text += fmt::format("; differences {}have none: how much seeds matter on a part is not "
                            "known (run with --seeds 5)",
                            rows.size() > 1 ? "to or of rows of one seed " : "");
    if (!reasons.empty())
        text += fmt::format("; differences that have no verdict on the whole set have none ({})",
                            fmt::join(reasons, "; "));
    return text + ". They are not adjusted for the number of slices and rows.";
}

/// Of many rows those with the best values of the whole set, in their order.
void keep_best(Job& job, const task::Metric& metric, std::size_t most)
{
    if (job.rows.size() <= most)
        return;
    std::vector<double> values;
    values.reserve(job.rows.size());
    for (const Row* row : job.rows)
        values.push_back(score_of(row->tasks[job.task], metric).value);
    std::vector<std::size_t> order(job.rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return metric.is_better(values[a], values[b]);
    });
    order.resize(most);
    if (std::ranges::count(order, job.reference) == 0)
        order.back() = job.reference;
    const Row* reference = job.rows[job.reference];
    std::sort(order.begin(), order.end());
    std::vector<const Row*> kept;
    kept.reserve(order.size());
    for (const std::size_t row : order)
        kept.push_back(job.rows[row]);
    job.slices.by += fmt::format("; the best {} of {}", most, job.rows.size());
    job.rows = std::move(kept);
    job.reference = static_cast<std::size_t>(
        std::find(job.rows.begin(), job.rows.end(), reference) - job.rows.begin());
}

/// In place of the best value the baseline, or whom the rows are compared with on the whole set, if it is one of them.
void refer_to(Job& job,
              const Results& results,
              const TaskComparison& compared,
              const std::string& baseline)
{
    const auto named = std::ranges::find(job.rows, baseline, &Row::label);
    if (!baseline.empty() && named != job.rows.end()) {
        job.reference = static_cast<std::size_t>(named - job.rows.begin());
        return;
    }
    for (std::size_t row = 0; row < job.rows.size(); ++row) {
        const auto at = static_cast<std::size_t>(job.rows[row] - results.rows().data());
        const Difference& difference = compared.entries[at].difference;
        const Row* against = &results.rows()[compared.entries[at].against];
        const auto place = std::ranges::find(job.rows, against);
        if (difference.is_decided() && place != job.rows.end()) {
            job.reference = static_cast<std::size_t>(place - job.rows.begin());
            return;
        }
    }
}

void fill(std::vector<Job>& jobs, const stats::Resampling& resampling)
{
    std::vector<std::pair<Job*, std::size_t>> slots;
    for (Job& job : jobs) {
        job.resampling = resampling;
        job.resampling.resamples = std::min(resampling.resamples, most_resamples);
        job.resampling.threads = 1; // the slots are what runs in parallel
        for (const Row* row : job.rows) {
            const std::vector<report::Measured> none_yet(job.parts.size());
            job.slices.encoders.push_back({row->label, none_yet});
            job.slices.differences.push_back({row->label, none_yet});
        }
        job.slices.reference = job.rows[job.reference]->label;
        job.slices.note = claim_of(job) + (job.slices.note.empty() ? "" : " ") + job.slices.note;
        for (std::size_t part = 0; part < job.parts.size(); ++part)
            slots.emplace_back(&job, part);
    }
    core::parallel_for(slots.size(), resampling.threads,
                       [&](std::size_t at) { fill_part(*slots[at].first, slots[at].second); });
}

} // namespace

std::vector<report::Slices> slices_of(const Results& results,
                                      const Comparison& comparison,
                                      const stats::Resampling& resampling,
                                      std::size_t most_rows)
{
    constexpr std::size_t most_divisions = 4;
    std::vector<Job> jobs;
    for (const TaskComparison& compared : comparison.tasks) {
        if (compared.metric.source.statistic.empty())
            continue;
        const auto task = index_of(results, compared.task);
        const std::size_t before = jobs.size();
        std::map<const Row*, std::string> open;
        std::map<const Row*, stats::Population> widest;
        for (std::size_t row = 0; row < results.rows().size(); ++row) {
            open[&results.rows()[row]] = compared.entries[row].difference.undecided;
            widest[&results.rows()[row]] = compared.entries[row].score.population;
        }
        for (std::size_t division = 0; division < most_divisions; ++division)
            add_jobs(results, task, division, compared.metric, jobs);
        for (std::size_t job = before; job < jobs.size(); ++job) {
            jobs[job].open = open;
            jobs[job].widest = widest;
            jobs[job].population = comparison.population;
            jobs[job].slices.is_doubtful = marked_name(compared) != compared.task;
            refer_to(jobs[job], results, compared, comparison.baseline);
            keep_best(jobs[job], compared.metric, most_rows);
        }
    }
    fill(jobs, resampling);
    std::vector<report::Slices> slices;
    slices.reserve(jobs.size());
    for (Job& job : jobs)
        slices.push_back(std::move(job.slices));
    return slices;
}

} // namespace senteval::compare
