#include "compare/loss.hpp"

#include "base/parallel.hpp"
#include "compare/judge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
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

/// Adds mean and interval, by Satterthwaite; tasks are taken as independent.
void add_mean(const Losses& losses, VariantLoss& variant)
{
    double sum = 0;
    double variance = 0;
    double squares = 0; // over degrees of freedom
    for (std::size_t task = 0; task < losses.tasks.size(); ++task) {
        const Difference& difference = losses.tasks[task].entries[variant.row].difference;
        const double own = std::pow(difference.standard_error, 2);
        sum += losses.loss(task, variant.row);
        variance += own;
        squares += own > 0 ? own * own / difference.freedom : 0;
        if (losses.loss(task, variant.row) > losses.loss(variant.worst, variant.row))
            variant.worst = task;
    }
    const auto count = static_cast<double>(losses.tasks.size());
    const double critical =
        variance > 0 ? stats::t_quantile(level, variance * variance / squares) : 0;
    const double half = critical * std::sqrt(variance) / count;
    variant.mean = sum / count;
    variant.interval = {variant.mean - half, variant.mean + half};
}

/// Whether the interval of 95 % lies within the margin: two one-sided tests at half of the level.
std::string_view verdict_on(const VariantLoss& variant, double margin, bool goes_on)
{
    if (variant.interval.low > -margin && variant.interval.high < margin)
        return goes_on ? "equal" : "not tested";
    if (variant.interval.low > 0 || variant.interval.high < 0)
        return variant.mean > 0 ? "worse" : "better";
    return margin > 0 ? "undecided" : "";
}

void add_variant(
    const Results& results, std::size_t at, double margin, bool& goes_on, Losses& losses)
{
    const Row& row = results.rows()[at];
    VariantLoss& variant = losses.variants.emplace_back(
        at, row.projection,
        static_cast<double>(row.bytes) / static_cast<double>(results.rows()[losses.full].bytes));
    add_mean(losses, variant);
    variant.verdict = verdict_on(variant, margin, goes_on);
    for (const TaskComparison& task : losses.tasks)
        if (const Entry& entry = task.entries[at]; entry.verdict == Verdict::unknown) {
            losses.open = entry.difference.open;
            variant.interval = {base::nan, base::nan};
            variant.verdict = "no verdict";
        }
    goes_on = goes_on && variant.verdict == "equal";
    if (goes_on && (!losses.smallest || variant.share < losses.variants[*losses.smallest].share))
        losses.smallest = losses.variants.size() - 1;
}

/// Precisions, then cuts, then cuts with a precision: the first are one family of tests, the rest the other.
void add_variants(const Results& results,
                  const Comparison& comparison,
                  std::vector<std::size_t> variants,
                  Losses& losses)
{
    const auto& rows = results.rows();
    const auto is_cut = [&](std::size_t row) {
        return rows[row].dimension < rows[losses.full].dimension;
    };
    std::ranges::stable_sort(variants, {}, [&](std::size_t row) {
        const bool is_precise = rows[row].bytes == rows[row].dimension * sizeof(float);
        return std::pair(is_cut(row), is_cut(row) && !is_precise);
    });
    const double margin = comparison.options.margin * *points(losses.tasks.front().metric);
    std::array<bool, 2> goes_on = {true, true};
    for (const std::size_t row : variants)
        add_variant(results, row, margin, goes_on[is_cut(row) ? 1 : 0], losses);
}

} // namespace

double Losses::loss(std::size_t task, std::size_t row) const
{
    const double difference = tasks[task].entries[row].difference.value;
    return tasks[task].metric.higher_is_better ? 0 - difference : difference; // no "-0"
}

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

std::vector<Losses> losses_of(const Results& results, const Comparison& comparison)
{
    std::vector<Losses> all;
    Options options;
    options.items_only = comparison.options.items_only;
    for (const auto& [full, variants] : variants_of(results))
        for (const std::string& unit : {results::percent, results::correlation}) {
            Losses losses;
            losses.full = full;
            std::vector<std::size_t> judged = variants;
            judged.push_back(full);
            std::ranges::copy_if(comparison.tasks, std::back_inserter(losses.tasks),
                                 [&](const TaskComparison& task) {
                                     return task.metric.unit == unit &&
                                            task.entries[full].has_value();
                                 });
            base::parallel_for(losses.tasks.size(), comparison.options.threads,
                               [&](std::size_t at) {
                                   TaskComparison& task = losses.tasks[at];
                                   task = judge(results, index_of(results, task.task), task.metric,
                                                full, options, judged);
                               });
            if (losses.tasks.empty())
                continue;
            add_variants(results, comparison, variants, losses);
            all.push_back(std::move(losses));
        }
    return all;
}

} // namespace senteval::compare
