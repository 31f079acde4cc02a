#include "compare/comparison.hpp"

#include "compare/case.hpp"
#include "compare/columns.hpp"
#include "compare/warnings.hpp"
#include "core/error.hpp"
#include "core/names.hpp"
#include "core/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace senteval::compare {
namespace {

std::string in_words(Family family, bool false_discovery_rate)
{
    const char* of = family == Family::table ? "over the whole table" : "over each task";
    if (family == Family::none)
        return "not adjusted for how many comparisons there are: each is judged for itself at "
               "level 5 %, so that of 20 between equal encoders one is called a difference; nor do "
               "rows of few seeds learn from others here how much seeds matter";
    return false_discovery_rate
               ? fmt::format("adjusted at a false discovery rate of 5 % {}", of)
               : fmt::format("adjusted at level 5 % {}, whichever comparisons it comes to", of);
}

std::optional<std::size_t> row_called(const Results& results, const std::string& label)
{
    if (label.empty())
        return std::nullopt;
    const std::vector<const Row*> called = results.rows_called(label);
    if (called.size() == 1)
        return static_cast<std::size_t>(called.front() - results.rows().data());
    std::vector<std::string> labels;
    for (const Row& row : results.rows())
        if (called.empty() || std::ranges::find(called, &row) != called.end())
            labels.push_back(row.label);
    if (!called.empty())
        throw core::UsageError("--baseline: several rows are called '{}': {}. Give one of these",
                               label, fmt::join(labels, ", "));
    throw core::UsageError("--baseline: there is no row '{}'.{} There are: {}", label,
                           core::did_you_mean(label, labels), fmt::join(labels, ", "));
}

/// As people write it: "MSE" is "mse". nullptr where there is none.
const task::Metric* metric_called(const std::vector<task::Metric>& metrics, const std::string& name)
{
    if (const task::Metric* same = task::find_metric(metrics, name))
        return same;
    const auto at = std::find_if(metrics.begin(), metrics.end(), [&](const task::Metric& metric) {
        return core::folded(metric.path) == core::folded(name);
    });
    return at == metrics.end() ? nullptr : &*at;
}

[[noreturn]] void fail_unknown_metric(const Results& results, const std::string& path)
{
    std::vector<std::string> known;
    std::set<std::string> headlines;
    for (std::size_t task = 0; task < results.tasks().size(); ++task) {
        headlines.insert(results.metrics(task).front().path);
        for (const task::Metric& metric : results.metrics(task))
            known.push_back(metric.path);
    }
    throw core::UsageError("--metric: encoders cannot be compared by '{}'.{} The tables show {}; "
                           "'senteval tasks --json' lists the metrics of every task",
                           path, core::did_you_mean(path, known), fmt::join(headlines, ", "));
}

/// The tasks that have the metric, and some value of it; each judged together with the others of its
/// family.
std::vector<std::unique_ptr<Case>> cases_of(const Results& results, const Options& options)
{
    const auto baseline = row_called(results, options.baseline);
    std::vector<std::unique_ptr<Case>> cases(results.tasks().size());
    core::parallel_for(cases.size(), options.resampling.threads, [&](std::size_t task) {
        const auto& metrics = results.metrics(task);
        const task::Metric* metric =
            options.metric.empty() ? &metrics.front() : metric_called(metrics, options.metric);
        if (metric == nullptr)
            return;
        auto one = std::make_unique<Case>(open_case(results, task, *metric, baseline, options));
        if (!options.metric.empty() && one->bests.empty())
            return;
        draw(*one, options);
        cases[task] = std::move(one);
    });
    std::erase(cases, nullptr);
    if (cases.empty())
        fail_unknown_metric(results, options.metric);
    if (options.margin > 0 && std::ranges::none_of(cases, [](const auto& one) {
            return points(one->column.metric).has_value();
        }))
        throw core::UsageError("--margin is in points (1 % of an accuracy, 0.01 of a correlation), "
                               "of which '{}' has none",
                               cases.front()->column.metric.path);
    std::vector<std::vector<Judged*>> with_best;
    std::vector<std::vector<Judged*>> with_baseline;
    for (const auto& one : cases) {
        auto& of_task = with_best.emplace_back();
        for (Judged& judged : one->with_best)
            of_task.push_back(&judged);
        if (one->with_baseline)
            with_baseline.push_back({&*one->with_baseline});
    }
    for (const auto& tasks : {with_best, with_baseline})
        judge(tasks, options.family, options.false_discovery_rate);
    std::vector<std::string> labels;
    labels.reserve(results.rows().size());
    for (const Row& row : results.rows())
        labels.push_back(row.label);
    core::parallel_for(cases.size(), options.resampling.threads,
                       [&](std::size_t at) { finish(*cases[at], options, labels); });
    return cases;
}

} // namespace

Comparison compare(const Results& results, const Options& options)
{
    Comparison comparison = rows_of(results);
    if (const auto baseline = row_called(results, options.baseline))
        comparison.baseline = results.rows()[*baseline].label;
    comparison.metric = options.metric;
    comparison.tested = true;
    comparison.family = in_words(options.family, options.false_discovery_rate);
    comparison.max_t = options.family != Family::none && !options.false_discovery_rate;
    comparison.margin = options.margin;
    comparison.population = options.population;
    std::vector<std::span<const Judged>> judged;
    const auto cases = cases_of(results, options);
    for (const auto& one : cases) {
        comparison.tasks.push_back(std::move(one->column));
        judged.emplace_back(one->with_best);
    }
    if (options.across_tasks)
        comparison.across = across_tasks(comparison.tasks, judged, comparison.rows, options.rope,
                                         options.resampling);
    comparison.averages = averages_of(comparison);
    comparison.warnings = results.notes();
    const auto warnings = warnings_of(results, comparison);
    comparison.warnings.insert(comparison.warnings.end(), warnings.begin(), warnings.end());
    return comparison;
}

} // namespace senteval::compare
