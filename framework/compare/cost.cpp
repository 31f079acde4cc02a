#include "compare/cost.hpp"

#include "base/counted.hpp"
#include "base/parallel.hpp"
#include "compare/judge.hpp"
#include "stats/interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace senteval::compare {
namespace {

std::string fingerprint_of(const Row& row)
{
    for (const Runs& runs : row.tasks)
        if (!runs.empty())
            return runs.front()->result.encoder.fingerprint;
    return "";
}

/// What costs are kept under, which are measured without asking for a version.
std::string declared_by(const Row& row)
{
    for (const Runs& runs : row.tasks)
        if (!runs.empty() && !runs.front()->result.encoder.declared.empty())
            return runs.front()->result.encoder.declared;
    return fingerprint_of(row);
}

Measured measured_of(const results::Cost& cost)
{
    const auto known = [](double number) { return number > 0 ? number : base::nan; };
    return {fmt::format("{}, {}", cost.where, base::counted(cost.threads, "thread")),
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

constexpr std::size_t criteria_count = 4;
constexpr std::size_t criteria_of_vectors = 2; ///< those behind are of a computer

/// The criteria, more is better; NaN: not known.
std::array<double, criteria_count> criteria(const CostRow& row)
{
    const auto fewer = [](std::uint64_t bytes) {
        return bytes > 0 ? -static_cast<double>(bytes) : base::nan;
    };
    return {std::round(row.quality * 10), fewer(row.bytes),
            row.measured ? row.measured->per_second : base::nan,
            row.measured ? fewer(row.measured->peak_bytes) : base::nan};
}

bool dominates(const CostRow& a,
               const CostRow& b,
               const std::array<bool, criteria_count>& is_criterion)
{
    constexpr double tie = 1.02;
    const auto of_a = criteria(a);
    const auto of_b = criteria(b);
    bool is_better = false;
    for (std::size_t at = 0; at < criteria_count; ++at) {
        const bool is_measured = at >= criteria_of_vectors;
        if (!is_criterion[at] || (is_measured && a.full == b.full)) // one encoder
            continue;
        if (is_measured &&
            (!a.measured || !b.measured || a.measured->computer != b.measured->computer))
            return false;
        if (is_measured && std::max(of_a[at] / of_b[at], of_b[at] / of_a[at]) <= tie)
            continue;
        if (!(of_a[at] >= of_b[at]))
            return false;
        is_better |= of_a[at] > of_b[at];
    }
    return is_better;
}

void add_domination(std::vector<CostRow>& rows)
{
    std::array<bool, criteria_count> is_criterion{};
    for (const CostRow& row : rows)
        for (std::size_t at = 0; at < criteria_count; ++at)
            is_criterion[at] |= !std::isnan(criteria(row)[at]);
    for (CostRow& row : rows)
        for (std::size_t other = 0; other < rows.size(); ++other)
            if (dominates(rows[other], row, is_criterion) &&
                (!row.dominated_by || rows[other].quality > rows[*row.dominated_by].quality))
                row.dominated_by = other;
}

/// Whether the entry is within the margin, tested alone at the level of the marks: a sequence that ends at the first
/// failure needs no adjustment.
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
    VariantVerdict verdict;
    verdict.full = full;
    std::vector<const TaskComparison*> tasks;
    for (const TaskComparison& task : comparison.tasks)
        if (points(task.metric) && task.entries[full].has_value())
            tasks.push_back(&task);
    std::vector<TaskComparison> against(tasks.size());
    base::parallel_for(tasks.size(), comparison.options.threads, [&](std::size_t at) {
        against[at] = judge(results, index_of(results, tasks[at]->task), tasks[at]->metric, full,
                            comparison.options);
    });
    for (const TaskComparison* task : tasks)
        verdict.tasks.push_back(task->task);
    for (const std::size_t variant : variants) {
        if (verdict.stopped) {
            verdict.untested.push_back(variant);
            continue;
        }
        verdict.tested.push_back(variant);
        for (const TaskComparison& task : against) {
            const Entry& entry = task.entries[variant];
            if (is_within(entry, comparison.options.margin * *points(task.metric)))
                continue;
            verdict.stopped = variant;
            const bool is_missing =
                results.rows()[variant].tasks[index_of(results, task.task)].empty();
            (is_missing                         ? verdict.missing
             : entry.verdict == Verdict::better ? verdict.better
                                                : verdict.outside)
                .push_back(task.task);
            verdict.few_seeds |= entry.difference.open == Open::few_seeds;
        }
        if (!verdict.stopped)
            verdict.smallest = variant;
    }
    return verdict;
}

/// The rows that are variants of a row, by encoder and settings.
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

/// "at 1/4 of the bytes"
std::string share_of(std::size_t part, std::size_t whole)
{
    if (part > 0 && part < whole && whole % part == 0)
        return fmt::format("at 1/{} of the bytes", whole / part);
    const double percent = 100 * static_cast<double>(part) / static_cast<double>(whole);
    return fmt::format("at {:.{}f} % of the bytes", percent, percent < 10 ? 1 : 0);
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
        cost.bytes = row.bytes;
        cost.is_variant = row.is_variant();
        cost.full = at;
    }
    add_measured(results, costs);
    add_quality(results, comparison, costs);
    for (auto& [full, variants] : variants_of(results)) {
        for (const std::size_t variant : variants)
            costs.rows[variant].full = full;
        std::ranges::stable_sort(variants, std::greater<>(), [&](std::size_t row) {
            return std::pair(costs.rows[row].bytes, costs.rows[row].dimension);
        });
        if (comparison.options.margin > 0)
            costs.verdicts.push_back(judge_variants(results, comparison, full, variants));
    }
    add_domination(costs.rows);
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
    const auto name = [&](std::size_t row) { return comparison.rows[row]; };
    std::string text =
        fmt::format("{}: no variant that was tested is shown to be {}", name(verdict.full), within);
    if (verdict.smallest)
        text = fmt::format(
            "{} is {}, {}", name(*verdict.smallest), within,
            share_of(costs.rows[*verdict.smallest].bytes, costs.rows[verdict.full].bytes));
    if (!verdict.stopped)
        return text;
    std::vector<std::string> reasons;
    const auto add = [&](const char* what, const std::vector<std::string>& on) {
        if (!on.empty())
            reasons.push_back(fmt::format("{} {}", what, fmt::join(on, ", ")));
    };
    add("has no results on", verdict.missing);
    add("is better than the full vectors on", verdict.better);
    add("is not shown to be within on", verdict.outside);
    text += fmt::format(
        "; stops at {}, which {}{}", name(*verdict.stopped), fmt::join(reasons, " and "),
        verdict.few_seeds ? " (a trained task needs five seeds: run --seeds 5)" : "");
    if (verdict.untested.empty())
        return text;
    std::vector<std::string> names;
    std::ranges::transform(verdict.untested, std::back_inserter(names), name);
    return text + fmt::format("; not tested: {} (--encoders '{},{}' asks about one alone)",
                              fmt::join(names, ", "), name(verdict.full), names.front());
}

} // namespace senteval::compare
