#include "compare/cost.hpp"

#include "base/counted.hpp"
#include "compare/judge.hpp"
#include "compare/loss.hpp"
#include "stats/interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace senteval::compare {
namespace {

/// What costs are kept under, which are measured without asking for a version.
std::string declared_by(const Row& row)
{
    std::string fingerprint;
    for (const Runs& runs : row.tasks)
        if (!runs.empty()) {
            const results::Identity& encoder = runs.front()->result.encoder;
            if (!encoder.declared.empty())
                return encoder.declared;
            fingerprint = encoder.fingerprint;
        }
    return fingerprint;
}

Measured measured_of(const results::Cost& cost)
{
    const auto known = [](double number) { return number > 0 ? number : base::nan; };
    const bool is_of_client = cost.encoder.id == "senteval.http"; // whose server is elsewhere
    return {fmt::format("{}, {}{}", cost.where, base::counted(cost.threads, "thread"),
                        is_of_client ? " (the client's share; its server's is not known)" : ""),
            cost.sentences_per_second,
            known(cost.sentences_per_processor_second),
            known(cost.seconds_of_first_call),
            cost.peak_bytes,
            cost.date};
}

void add_measured(const Results& results, Costs& costs)
{
    std::map<std::string, std::vector<Measured>> all; // by fingerprint, the latest last
    for (const results::Cost& cost : results.costs())
        all[cost.encoder.fingerprint].push_back(measured_of(cost));
    for (auto& [encoder, measured] : all)
        std::ranges::stable_sort(measured, {}, &Measured::date);
    for (std::size_t at = 0; at < costs.rows.size(); ++at) {
        CostRow& row = costs.rows[at];
        std::vector<Measured>& left = all[declared_by(results.rows()[at])];
        if (left.empty())
            continue;
        row.measured = left.back();
        add_distinct(std::vector{row.measured->computer}, costs.computers);
        for (auto one = left.rbegin(); one != left.rend(); ++one)
            if (one->computer != row.measured->computer &&
                std::ranges::find(row.elsewhere, one->computer, &Measured::computer) ==
                    row.elsewhere.end())
                row.elsewhere.push_back(*one);
    }
}

/// Tasks are taken as independent of each other.
void add_quality(const Results& results, const Comparison& comparison, Costs& costs)
{
    std::vector<const TaskComparison*> tasks;
    for (const TaskComparison& task : comparison.tasks)
        if (points(task.metric) && std::ranges::any_of(task.entries, &Entry::has_value))
            tasks.push_back(&task);
    for (const TaskComparison* task : tasks)
        for (std::size_t at = 0; at < costs.rows.size(); ++at)
            if (!task->entries[at].has_value() &&
                !results.rows()[at].tasks[index_of(results, task->task)].empty())
                costs.rows[at].undefined.push_back(task->task);
    std::erase_if(tasks, [&](const TaskComparison* task) {
        for (std::size_t at = 0; at < costs.rows.size(); ++at)
            if (costs.rows[at].undefined.empty() && !task->entries[at].has_value())
                return true;
        return false;
    });
    for (const TaskComparison* task : tasks)
        costs.tasks.push_back(task->task);
    const auto count = static_cast<double>(tasks.size());
    for (std::size_t at = 0; !tasks.empty() && at < costs.rows.size(); ++at) {
        if (!costs.rows[at].undefined.empty())
            continue;
        double sum = 0;
        double squares = 0;
        for (const TaskComparison* task : tasks) {
            const Score& score = task->entries[at].score;
            const double point = *points(task->metric);
            sum += score.value / point * (task->metric.higher_is_better ? 1 : -1);
            squares += std::pow(score.standard_error / point, 2);
        }
        costs.rows[at].quality = sum / count;
        costs.rows[at].standard_error = std::sqrt(squares) / count;
    }
}

void add_geometry(const Results& results, Costs& costs)
{
    for (std::size_t task = 0; task < results.tasks().size(); ++task)
        for (std::size_t row = 0; row < results.rows().size(); ++row) {
            const Runs& runs = results.rows()[row].tasks[task];
            const auto has = [](const results::Cell* cell) {
                return cell->result.details.contains("geometry");
            };
            const auto run = std::ranges::find_if(runs, has); // all seeds have the same vectors
            if (run == runs.end())
                continue;
            const base::Json& found = (*run)->result.details["geometry"];
            costs.geometry.push_back(
                {results.tasks()[task], row, found.value("texts", 0U), found.value("pairs", 0U),
                 found.value("alignment", base::nan), found.value("uniformity", base::nan),
                 found.value("effective_rank", base::nan), found.value("hubness", base::nan)});
        }
}

} // namespace

stats::Interval CostRow::interval() const
{
    constexpr double normal = 1.959964;
    return {quality - normal * standard_error, quality + normal * standard_error};
}

bool Costs::is_empty() const
{
    return computers.empty() && geometry.empty() &&
           std::ranges::none_of(rows, &CostRow::is_variant);
}

Costs costs_of(const Results& results, const Comparison& comparison)
{
    Costs costs;
    for (std::size_t at = 0; at < results.rows().size(); ++at) {
        const Row& row = results.rows()[at];
        CostRow& cost = costs.rows.emplace_back();
        cost.dimension = row.dimension;
        cost.bytes = row.bytes;
        cost.is_variant = row.is_variant();
        cost.full = at;
    }
    add_measured(results, costs);
    add_quality(results, comparison, costs);
    add_geometry(results, costs);
    for (const auto& [full, variants] : variants_of(results))
        for (const std::size_t variant : variants)
            costs.rows[variant].full = full;
    return costs;
}

} // namespace senteval::compare
