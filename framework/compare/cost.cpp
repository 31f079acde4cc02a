#include "compare/cost.hpp"

#include "compare/judge.hpp"
#include "compare/row_settings.hpp"
#include "core/counted.hpp"
#include "core/parallel.hpp"
#include "embedding/variant.hpp"
#include "stats/interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace senteval::compare {
namespace {

using core::Json;

std::string fingerprint_of(const Row& row)
{
    for (const Runs& runs : row.tasks)
        if (!runs.empty())
            return text_at(runs.front()->document, "/encoder/fingerprint");
    return "";
}

std::size_t bytes_of_vector(const Row& row)
{
    const auto variant = embedding::Variant::parse(row.projection);
    return embedding::bytes_of(variant ? variant->precision : embedding::Precision::float32,
                               row.dimension);
}

Measured measured_of(const Json& cost)
{
    const auto number = [&](const char* key) { return cost.value(key, core::nan); };
    return {fmt::format("{}, {}", cost.at("computer").get<std::string>(),
                        core::counted(cost.at("threads").get<std::size_t>(), "thread")),
            number("sentences_per_second"),
            number("sentences_per_processor_second"),
            number("seconds_of_first_call"),
            cost.value("peak_bytes", std::uint64_t{0}),
            cost.value("date", std::string())};
}

/// The latest of every encoder.
void add_measured(const Results& results, Costs& costs)
{
    std::map<std::string, Measured> latest; // by fingerprint
    for (const Json& cost : results.costs()) {
        Measured& known = latest[text_at(cost, "/encoder/fingerprint")];
        if (Measured measured = measured_of(cost); known.date <= measured.date)
            known = std::move(measured);
    }
    for (std::size_t at = 0; at < costs.rows.size(); ++at)
        if (const auto found = latest.find(fingerprint_of(results.rows()[at]));
            found != latest.end()) {
            costs.rows[at].measured = found->second;
            add_distinct(std::vector{found->second.computer}, costs.computers);
        }
}

/// Tasks are taken as independent of each other.
void add_quality(const Comparison& comparison, Costs& costs)
{
    std::vector<const TaskComparison*> tasks;
    for (const TaskComparison& task : comparison.tasks) {
        const bool is_in =
            points(task.metric) && std::ranges::all_of(task.entries, &Entry::has_value);
        if (!is_in)
            continue;
        costs.tasks.push_back(task.task);
        tasks.push_back(&task);
    }
    const auto count = static_cast<double>(tasks.size());
    for (std::size_t at = 0; !tasks.empty() && at < costs.rows.size(); ++at) {
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

/// What there is of two rows, more being better: quality, bytes, and speed and memory of one computer.
std::vector<std::pair<double, double>> criteria(const CostRow& a, const CostRow& b)
{
    const auto negative = [](std::uint64_t bytes) { return -static_cast<double>(bytes); };
    std::vector<std::pair<double, double>> all = {{a.quality, b.quality},
                                                  {negative(a.bytes), negative(b.bytes)}};
    if (!a.measured || !b.measured || a.measured->computer != b.measured->computer)
        return all;
    all.emplace_back(a.measured->per_second, b.measured->per_second);
    if (a.measured->peak_bytes > 0 && b.measured->peak_bytes > 0)
        all.emplace_back(negative(a.measured->peak_bytes), negative(b.measured->peak_bytes));
    return all;
}

bool dominates(const CostRow& a, const CostRow& b)
{
    if (a.bytes == 0 || b.bytes == 0)
        return false;
    const auto all = criteria(a, b);
    return std::ranges::all_of(all, [](const auto& pair) { return pair.first >= pair.second; }) &&
           std::ranges::any_of(all, [](const auto& pair) { return pair.first > pair.second; });
}

void add_domination(std::vector<CostRow>& rows)
{
    for (CostRow& row : rows)
        for (std::size_t other = 0; other < rows.size(); ++other)
            if (dominates(rows[other], row) &&
                (!row.dominated_by || rows[other].quality > rows[*row.dominated_by].quality))
                row.dominated_by = other;
}

/// By itself, at the level of the marks: a sequence that ends at the first failure needs no adjustment.
bool is_within(const Entry& entry, double margin)
{
    const Difference& difference = entry.difference;
    if (entry.verdict == Verdict::same)
        return true;
    if (!entry.has_value() || !difference.has_verdict())
        return false;
    const double inside = margin - std::abs(difference.value);
    if (!(difference.standard_error > 0))
        return inside > 0;
    return inside > 0 &&
           stats::t_p_value(inside / difference.standard_error, difference.freedom) < level;
}

VariantVerdict judge_variants(const Results& results,
                              const Comparison& comparison,
                              std::size_t full,
                              const std::vector<std::size_t>& variants)
{
    VariantVerdict verdict{full, {}, {}, {}, {}, false};
    std::vector<const TaskComparison*> tasks;
    for (const TaskComparison& task : comparison.tasks)
        if (points(task.metric) && task.entries[full].has_value())
            tasks.push_back(&task);
    std::vector<TaskComparison> against(tasks.size());
    core::parallel_for(tasks.size(), comparison.options.threads, [&](std::size_t at) {
        against[at] = judge(results, index_of(results, tasks[at]->task), tasks[at]->metric, full,
                            comparison.options);
    });
    for (const TaskComparison* task : tasks)
        verdict.tasks.push_back(task->task);
    for (const std::size_t variant : variants) {
        for (const TaskComparison& task : against) {
            const Entry& entry = task.entries[variant];
            if (is_within(entry, comparison.options.margin * *points(task.metric)))
                continue;
            verdict.outside.push_back(task.task);
            verdict.few_seeds |= entry.difference.open == Open::few_seeds;
        }
        if (!verdict.outside.empty()) {
            verdict.stopped = variant;
            break;
        }
        verdict.smallest = variant;
    }
    return verdict;
}

/// Where rows are variants of a row: by encoder and settings.
std::map<std::size_t, std::vector<std::size_t>> variants_of(const Results& results)
{
    const auto& rows = results.rows();
    std::map<std::size_t, std::vector<std::size_t>> all;
    for (std::size_t at = 0; at < rows.size(); ++at)
        for (std::size_t full = 0; rows[at].is_variant() && full < rows.size(); ++full)
            if (rows[full].projection.empty() && rows[full].settings == rows[at].settings &&
                fingerprint_of(rows[full]) == fingerprint_of(rows[at])) {
                all[full].push_back(at);
                break;
            }
    return all;
}

} // namespace

stats::Interval CostRow::interval() const
{
    constexpr double normal = 1.959964;
    return {quality - normal * standard_error, quality + normal * standard_error};
}

bool Costs::is_empty() const
{
    return computers.empty() && std::ranges::none_of(rows, &CostRow::is_variant);
}

Costs costs_of(const Results& results, const Comparison& comparison)
{
    Costs costs;
    for (std::size_t at = 0; at < results.rows().size(); ++at) {
        const Row& row = results.rows()[at];
        CostRow& cost = costs.rows.emplace_back();
        cost.dimension = row.dimension;
        cost.bytes = bytes_of_vector(row);
        cost.is_variant = row.is_variant();
        cost.full = at;
    }
    add_measured(results, costs);
    add_quality(comparison, costs);
    add_domination(costs.rows);
    for (auto& [full, variants] : variants_of(results)) {
        for (const std::size_t variant : variants)
            costs.rows[variant].full = full;
        std::ranges::stable_sort(variants, std::greater<>(), [&](std::size_t row) {
            return std::pair(costs.rows[row].bytes, costs.rows[row].dimension);
        });
        if (comparison.options.margin > 0)
            costs.verdicts.push_back(judge_variants(results, comparison, full, variants));
    }
    return costs;
}

std::string text_of(const VariantVerdict& verdict, const Costs& costs, const Comparison& comparison)
{
    const double margin = comparison.options.margin;
    const std::string tasks = verdict.tasks.size() == 1
                                  ? verdict.tasks.front()
                                  : fmt::format("all {} tasks", verdict.tasks.size());
    const std::string within = fmt::format("within {:g} {} of the full vectors on {}", margin,
                                           margin == 1 ? "point" : "points", tasks);
    std::string text;
    if (verdict.smallest) {
        const double ratio = static_cast<double>(costs.rows[verdict.full].bytes) /
                             static_cast<double>(costs.rows[*verdict.smallest].bytes);
        text =
            fmt::format("{} is {}, at 1/{:.{}f} of the bytes", comparison.rows[*verdict.smallest],
                        within, ratio, ratio == std::round(ratio) ? 0 : 1);
    } else {
        text =
            fmt::format("{}: no variant is shown to be {}", comparison.rows[verdict.full], within);
    }
    if (!verdict.stopped)
        return text;
    return text + fmt::format(
                      "; {} is not shown to be on {}{}", comparison.rows[*verdict.stopped],
                      fmt::join(verdict.outside, ", "),
                      verdict.few_seeds ? " (a trained task needs five seeds: run --seeds 5)" : "");
}

} // namespace senteval::compare
