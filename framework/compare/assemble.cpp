#include "compare/assemble.hpp"

#include "compare/formats_parts.hpp"
#include "compare/slices.hpp"
#include "compare/verdict.hpp"
#include "compare/views.hpp"
#include "report/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace senteval::compare {
namespace {

using core::Json;

constexpr std::size_t shown_digits = 12;
/// Rows of a division: plots and tables of more say nothing.
constexpr std::size_t most_sliced = 12;

std::string group_of(const AssembleOptions& options, const std::string& task)
{
    const auto at = options.groups.find(task);
    return at == options.groups.end() ? "custom" : at->second;
}

/// Of paths the name of the file: the whole path is among the provenance.
std::string in_words(const Json& parameters)
{
    std::string text;
    for (const auto& [key, value] : parameters.items()) {
        const std::string plain =
            value.is_string() ? value.get<std::string>() : core::to_text(value);
        text += fmt::format(", {}={}", key, plain.substr(plain.rfind('/') + 1));
    }
    return text;
}

report::Encoder encoder_of(const Row& row)
{
    report::Encoder encoder;
    encoder.name = row.label;
    encoder.dimension = row.dimension;
    const auto runs = std::find_if(row.tasks.begin(), row.tasks.end(),
                                   [](const Runs& any) { return !any.empty(); });
    const Json& described = runs->front()->document.at("encoder");
    encoder.identity =
        fmt::format("{} {}{}", text_at(described, "/id"), described.value("version", ""),
                    in_words(described.value("parameters", Json::object())));
    if (!row.variant.empty())
        encoder.identity += "; " + row.variant;
    encoder.fingerprint = text_at(described, "/fingerprint").substr(0, shown_digits);
    return encoder;
}

report::Task
task_of(const Results& results, const TaskComparison& compared, const AssembleOptions& options)
{
    report::Task task;
    task.name = compared.task;
    task.group = group_of(options, compared.task);
    task.metric = compared.metric.path;
    task.unit = compared.metric.axis();
    task.decimals = compared.metric.digits;
    task.higher_is_better = compared.metric.higher_is_better;
    if (!std::isinf(compared.detectable))
        task.detectable = compared.detectable;
    task.detectable_range = detectable_range(compared);
    task.population = is_decided(compared) ? compared.population : "";
    task.score_population =
        compared.score_population.empty() ? task.population : compared.score_population;
    task.protocol = results.any_cell(index_of(results, compared.task))
                        .document.at("task")
                        .value("protocol", "");
    bool any_published = false;
    bool any_doubtful = false;
    for (const Entry& entry : compared.entries) {
        if (entry.score.items > 0) {
            task.items =
                task.items == 0 ? entry.score.items : std::min(task.items, entry.score.items);
            task.most_items = std::max(task.most_items, entry.score.items);
        }
        const bool is_published =
            entry.score.seeds > 0 && entry.doubts.empty() && entry.trained_on.empty();
        any_published = any_published || is_published;
        any_doubtful = any_doubtful || (entry.score.seeds > 0 && !entry.doubts.empty());
    }
    task.is_doubtful = any_doubtful;
    // Beside a score on other data published figures would be taken to compare with it.
    task.is_published_set = any_published && !any_doubtful;
    return task;
}

/// Means over the seeds of all that the task describes, by path.
std::map<std::string, double> metrics_of(const Runs& runs,
                                         const std::vector<task::Metric>& described)
{
    std::map<std::string, double> means;
    for (const task::Metric& metric : described) {
        double sum = 0;
        for (const run::Cell* cell : runs)
            sum += metric.value_in(cell->document.at("metrics")).value_or(core::nan);
        if (!std::isnan(sum))
            means[metric.path] = sum / static_cast<double>(runs.size());
    }
    return means;
}

/// Sums over the seeds, in the order of the work.
std::vector<std::pair<std::string, double>> seconds_of(const Runs& runs)
{
    constexpr std::array<std::string_view, 5> order = {"load", "prepare", "embed", "fit", "score"};
    std::map<std::string, double> sums;
    for (const run::Cell* cell : runs)
        for (const auto& [phase, duration] : cell->document.at("run").at("seconds").items())
            sums[phase] += duration.get<double>();
    std::vector<std::pair<std::string, double>> seconds;
    for (const std::string_view phase : order)
        if (const auto at = sums.find(std::string(phase)); at != sums.end())
            seconds.emplace_back(*at);
    return seconds;
}

/// Whether some row was tested against the best: alone, none is the best.
bool has_verdict(const TaskComparison& task)
{
    return std::any_of(task.entries.begin(), task.entries.end(), [](const Entry& entry) {
        return entry.verdict == Verdict::tied || entry.verdict == Verdict::worse;
    });
}

report::Cell cell_of(const Comparison& comparison,
                     const Entry& entry,
                     const Runs& runs,
                     const std::vector<task::Metric>& described)
{
    const bool is_best_too = entry.difference.same_scores && entry.verdict == Verdict::tied;
    report::Cell cell;
    if (runs.empty()) {
        cell.failure = entry.failed ? "its result is damaged" : "";
        return cell;
    }
    cell.score = {entry.score.value, entry.score.interval.low, entry.score.interval.high};
    cell.is_partial = entry.failed;
    cell.items = entry.score.items;
    cell.best = (entry.is_best || is_best_too) && entry.among_best;
    cell.tied = entry.verdict == Verdict::tied && !cell.best;
    if (entry.verdict == Verdict::undecided) { // what looks like a verdict would be taken for one
        cell.undecided = entry.difference.undecided;
    } else {
        cell.p_versus_best = entry.p_adjusted;
        if (!std::isnan(entry.difference.value))
            cell.against = comparison.rows[entry.against];
        cell.difference = {entry.difference.value, entry.difference.interval.low,
                           entry.difference.interval.high};
    }
    if (entry.verdict == Verdict::not_comparable)
        cell.not_comparable = entry.difference.not_comparable;
    cell.doubts = fmt::format("{}", fmt::join(entry.doubts, "; "));
    if (!entry.trained_on.empty())
        cell.trained_on = fmt::format("trained on sentences of {} test items", entry.trained_on);
    cell.seconds = seconds_of(runs);
    cell.metrics = metrics_of(runs, described);
    return cell;
}

/// Of the tasks with a published table that some result here does not compare with; empty: none.
std::string without_published(const report::Document& document)
{
    std::vector<std::string> names;
    const auto tables = report::published_tables();
    for (const report::Task& task : document.tasks)
        if (!task.is_published_set &&
            std::any_of(tables.begin(), tables.end(), [&](const auto& table) {
                return std::any_of(table.columns.begin(), table.columns.end(),
                                   [&](const auto& column) { return column.task == task.name; });
            }))
            names.push_back(task.name);
    return names.empty() ? ""
                         : fmt::format("Published figures are left out on {}: some result there is "
                                       "not of the published data, or was trained on it.",
                                       fmt::join(names, ", "));
}

std::vector<std::string> methods_of(const report::Document& document,
                                    const Comparison& comparison,
                                    const AssembleOptions& options)
{
    const std::string draws =
        comparison.max_t
            ? fmt::format(", by the max-T procedure over all pairs ({} draws from seed {}), "
                          "since the best was chosen by the same data",
                          options.resampling.resamples, options.resampling.seed)
            : "";
    std::vector<std::string> methods = {
        "A verdict speaks of the population that is named with its task: the same trained "
        "classifiers on "
        "new items, the encoders under new seeds as well, or under new training sets as well. The "
        "variance of a difference is that of the items and the seeds, crossed, with Student's t; "
        "of "
        "fewer than 200 items that alone are drawn anew, p is that of random signs, adjusted by "
        "Bonferroni's bound. Items that "
        "share "
        "a sentence are not taken as independent.",
        // A sentence on several lines: NOLINTNEXTLINE(bugprone-suspicious-missing-comma)
        "Intervals of scores hold with 95 % confidence for that population: Wilson's for shares of "
        "the "
        "items, Fisher's for correlations, at the number of independent items that has the "
        "variance.",
        fmt::format(
            "Encoders are compared with the best of the task on the same items, p-values and "
            "intervals {}{}. Tied with the best: not told from it.",
            comparison.family, draws),
        "The detectable difference is what a comparison finds with power 80 % at the level it is "
        "judged at; where those of a task differ, the range of them.",
        "Mean ranks are over the tasks on each of which all ranked encoders can be compared with "
        "each "
        "other; who and what is left out is said below the leaderboard's first table. A row counts "
        "as "
        "the best of a task only where another was tested against it."};
    if (auto text = without_published(document); !text.empty())
        methods.push_back(std::move(text));
    for (const char* group : {"transfer", "similarity"})
        if (auto text =
                correlation_between(document.correlations, options.groups, group, "probing");
            !text.empty())
            methods.push_back(std::move(text));
    return methods;
}

/// The published tables that have a task in common with the document.
std::vector<report::PublishedTable> published_for(const report::Document& document)
{
    auto tables = report::published_tables();
    std::erase_if(tables, [&](const report::PublishedTable& table) {
        return std::none_of(table.columns.begin(), table.columns.end(), [&](const auto& column) {
            return std::any_of(document.tasks.begin(), document.tasks.end(), [&](const auto& task) {
                return task.name == column.task && task.is_published_set;
            });
        });
    });
    return tables;
}

std::string last_date(const Results& results)
{
    std::string last;
    for (const run::Cell* cell : results.cells())
        last = std::max(last, cell->document.at("run").value("date", ""));
    return last.substr(0, last.find('T'));
}

} // namespace

report::Document
assemble(const Results& results, const Comparison& comparison, const AssembleOptions& options)
{
    report::Document document;
    if (!options.title.empty())
        document.title = options.title;
    document.subtitle = options.program;
    if (const auto date = last_date(results); !date.empty())
        document.subtitle += fmt::format(" · results up to {}", date);
    for (const TaskComparison& task : comparison.tasks)
        document.tasks.push_back(task_of(results, task, options));
    for (std::size_t row = 0; row < results.rows().size(); ++row) {
        document.encoders.push_back(encoder_of(results.rows()[row]));
        for (const TaskComparison& task : comparison.tasks) {
            const std::size_t at = index_of(results, task.task);
            document.cells.push_back(cell_of(comparison, task.entries[row],
                                             results.rows()[row].tasks[at], results.metrics(at)));
            document.cells.back().best = document.cells.back().best && has_verdict(task);
            if (is_open(comparison, task.entries[row]))
                document.cells.back().undecided =
                    why_no_verdict(comparison, task, task.entries[row]);
        }
    }
    document.verdict = verdict_sentences(comparison);
    document.ranks = rank_diagram(comparison);
    document.warnings = comparison.warnings;
    document.dimension_curves = dimension_curves(results, comparison);
    document.correlations = task_correlations(results, comparison);
    document.side_by_side = side_by_side(results, comparison);
    document.seeds = seed_spreads(results, comparison, options.resampling);
    document.slices = slices_of(results, comparison, options.resampling, most_sliced);
    document.published = published_for(document);
    document.provenance = provenance(results);
    document.methods = methods_of(document, comparison, options);
    return document;
}

} // namespace senteval::compare
