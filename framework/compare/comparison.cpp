#include "compare/comparison.hpp"

#include "core/error.hpp"
#include "core/names.hpp"
#include "core/nan.hpp"
#include "stats/multiple.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace senteval::compare {
namespace {

using core::nan;

/// The row with the best value; nothing where no row has one. A row without items can be tested
/// against none: it is the best only where no row has items.
std::optional<std::size_t> best_of(const TaskComparison& task)
{
    std::optional<std::size_t> best;
    const auto is_better = [&](const Score& score, const Score& than) {
        const bool has_items = score.items > 0;
        return has_items == (than.items > 0) ? task.metric.is_better(score.value, than.value)
                                             : has_items;
    };
    for (std::size_t row = 0; row < task.entries.size(); ++row)
        if (!std::isnan(task.entries[row].score.value) &&
            (!best || is_better(task.entries[row].score, task.entries[*best].score)))
            best = row;
    return best;
}

double median(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return std::isnan(value); });
    if (values.empty())
        return nan;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<std::string> doubts_of(const Runs& runs)
{
    std::vector<std::string> doubts;
    for (const run::Cell* cell : runs)
        for (const auto& doubt : cell->document.at("data").value("doubts", core::Json::array()))
            if (const auto text = doubt.get<std::string>();
                std::find(doubts.begin(), doubts.end(), text) == doubts.end())
                doubts.push_back(text);
    return doubts;
}

Entry entry_of(const Score& score)
{
    Entry entry;
    entry.score = score;
    entry.difference = {nan, {nan, nan}, nan, nan, "", ""};
    return entry;
}

/// The task's column, with the best marked; `resampling` where intervals are wanted.
TaskComparison column_of(const Results& results,
                         std::size_t task,
                         const task::Metric& metric,
                         const stats::Resampling* resampling)
{
    TaskComparison column{results.tasks()[task], metric, {}, nan};
    for (const Row& row : results.rows()) {
        column.entries.push_back(entry_of(score_of(row.tasks[task], metric, resampling)));
        column.entries.back().doubts = doubts_of(row.tasks[task]);
    }
    return column;
}

/// The best row, and those with the very same value.
void mark_best(TaskComparison& column)
{
    const auto best = best_of(column);
    for (Entry& entry : column.entries)
        entry.is_best = best && entry.score.value == column.entries[*best].score.value &&
                        (entry.score.items > 0) == (column.entries[*best].score.items > 0);
}

TaskComparison compare_task(const Results& results,
                            std::size_t task,
                            const task::Metric& metric,
                            std::optional<std::size_t> baseline,
                            const stats::Resampling& resampling)
{
    TaskComparison column = column_of(results, task, metric, &resampling);
    mark_best(column);
    const auto& rows = results.rows();
    const auto reference = baseline ? baseline : best_of(column);
    std::vector<double> detectable;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        Entry& entry = column.entries[row];
        if (std::isnan(entry.score.value))
            continue;
        if (reference == row) {
            entry.verdict = Verdict::reference;
            continue;
        }
        entry.verdict = Verdict::not_comparable; // until there is a p-value
        entry.difference =
            difference_of(rows[row].tasks[task], rows[*reference].tasks[task], metric, resampling);
        if (std::isnan(entry.difference.value))
            entry.difference.not_comparable = "the baseline has no value";
        detectable.push_back(entry.difference.detectable);
    }
    column.detectable = median(std::move(detectable));
    return column;
}

/// Of each unit that several tasks have, where it means the same for all of them.
std::vector<Average> averages_of(const Comparison& table)
{
    std::vector<Average> averages;
    for (const TaskComparison& task : table.tasks) {
        if (!task.metric.has_common_unit())
            continue;
        auto at = std::find_if(averages.begin(), averages.end(), [&](const Average& average) {
            return average.unit == task.metric.unit;
        });
        if (at == averages.end())
            at = averages.insert(averages.end(), {task.metric.unit, 0, {}, {}});
        at->tasks.push_back(task.task);
        at->digits = std::max(at->digits, task.metric.digits);
        at->values.resize(table.rows.size());
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            at->values[row] += task.entries[row].score.value; // NaN stays
    }
    std::erase_if(averages, [](const Average& average) { return average.tasks.size() < 2; });
    for (Average& average : averages)
        for (double& value : average.values)
            value /= static_cast<double>(average.tasks.size());
    return averages;
}

/// Tasks with the same doubts share a warning.
void warn_of_doubts(const Comparison& table, std::vector<std::string>& warnings)
{
    std::vector<std::pair<std::string, std::string>> found; // doubts, tasks
    for (const TaskComparison& task : table.tasks) {
        std::vector<std::string> doubts;
        for (const Entry& entry : task.entries)
            for (const std::string& doubt : entry.doubts)
                if (std::find(doubts.begin(), doubts.end(), doubt) == doubts.end())
                    doubts.push_back(doubt);
        if (doubts.empty())
            continue;
        const std::string text = fmt::format("{}", fmt::join(doubts, "; "));
        const auto same = std::find_if(found.begin(), found.end(),
                                       [&](const auto& one) { return one.first == text; });
        if (same == found.end())
            found.emplace_back(text, task.task + "*");
        else
            same->second += ", " + task.task + "*";
    }
    for (const auto& [doubts, tasks] : found)
        warnings.push_back(fmt::format("{}: not the published data: {}", tasks, doubts));
}

Verdict verdict_of(const Entry& entry, const task::Metric& metric)
{
    constexpr double level = 0.05;
    if (entry.p_adjusted >= level)
        return Verdict::tied;
    return metric.is_better(entry.difference.value, 0) ? Verdict::better : Verdict::worse;
}

/// Holm over all comparisons of the table, then the verdicts.
void adjust(std::vector<TaskComparison>& tasks)
{
    std::vector<double> p_values;
    for (const TaskComparison& task : tasks)
        for (const Entry& entry : task.entries)
            p_values.push_back(entry.difference.p_value);
    const auto adjusted = stats::holm(p_values);
    std::size_t at = 0;
    for (TaskComparison& task : tasks)
        for (Entry& entry : task.entries) {
            entry.p_adjusted = adjusted[at++];
            if (!std::isnan(entry.p_adjusted))
                entry.verdict = verdict_of(entry, task.metric);
        }
}

void warn_of_dimensions(const Results& results, std::vector<std::string>& warnings)
{
    std::set<std::size_t> dimensions;
    for (const Row& row : results.rows())
        if (row.dimension > 0)
            dimensions.insert(row.dimension);
    if (dimensions.size() > 1)
        warnings.push_back(fmt::format(
            "The encoders have different dimensions ({}). Scores of trained classifiers grow with "
            "the "
            "dimension: compare at equal size (--equal-dimension) before calling one better.",
            fmt::join(dimensions, ", ")));
}

void warn_of_data(const Results& results, std::vector<std::string>& warnings)
{
    for (std::size_t task = 0; task < results.tasks().size(); ++task) {
        std::set<std::string> files;
        for (const Row& row : results.rows())
            for (const run::Cell* cell : row.tasks[task])
                if (!is_imported(*cell))
                    files.insert(cell->document.at("data").at("files").dump());
        if (files.size() > 1)
            warnings.push_back(
                fmt::format("{}: the results were made from different data files and are "
                            "not tested against each other.",
                            results.tasks()[task]));
    }
}

void warn_of_imports(const Results& results, std::vector<std::string>& warnings)
{
    std::set<std::string> labels;
    for (const Row& row : results.rows())
        for (const Runs& runs : row.tasks)
            if (std::any_of(runs.begin(), runs.end(),
                            [](const run::Cell* cell) { return is_imported(*cell); }))
                labels.insert(row.label);
    if (!labels.empty())
        warnings.push_back(fmt::format(
            "Imported results ({}) come without the outcomes of their test items and without a "
            "record of protocol and data: they have no intervals, are not tested, and are not "
            "marked as the best beside results that can be tested.",
            fmt::join(labels, ", ")));
}

/// Where two normalisations of the embeddings put two encoders in opposite order.
void warn_of_normalisation(const Results& results,
                           const std::vector<TaskComparison>& tasks,
                           std::vector<std::string>& warnings)
{
    const auto& rows = results.rows();
    const auto by_encoder_and_variant = [&](const std::string& encoder,
                                            const std::string& variant) {
        const auto at = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
            return row.encoder == encoder && row.variant == variant;
        });
        return at == rows.end() ? std::optional<std::size_t>{}
                                : static_cast<std::size_t>(at - rows.begin());
    };
    std::set<std::string> flipped;
    for (const TaskComparison& task : tasks)
        for (std::size_t a = 0; a < rows.size(); ++a)
            for (std::size_t b = a + 1; b < rows.size(); ++b) {
                if (rows[a].variant != rows[b].variant ||
                    rows[a].variant.find("normalise") == std::string::npos)
                    continue;
                for (const Row& other : rows) {
                    if (other.encoder != rows[a].encoder || other.variant == rows[a].variant)
                        continue;
                    const auto c = by_encoder_and_variant(rows[b].encoder, other.variant);
                    const auto d = static_cast<std::size_t>(&other - rows.data());
                    if (!c)
                        continue;
                    const double before = task.entries[a].score.value - task.entries[b].score.value;
                    const double after = task.entries[d].score.value - task.entries[*c].score.value;
                    if (before * after < 0)
                        flipped.insert(fmt::format("{} ({} and {})", task.task, rows[a].encoder,
                                                   rows[b].encoder));
                }
            }
    if (!flipped.empty())
        warnings.push_back(
            fmt::format("The order depends on how the embeddings are normalised: {}.",
                        fmt::join(flipped, "; ")));
}

std::optional<std::size_t> row_called(const Results& results, const std::string& label)
{
    if (label.empty())
        return std::nullopt;
    std::vector<std::string> labels;
    for (const Row& row : results.rows()) {
        if (row.label == label)
            return labels.size();
        labels.push_back(row.label);
    }
    throw core::UsageError("--baseline: there is no row '{}'.{} There are: {}", label,
                           core::did_you_mean(label, labels), fmt::join(labels, ", "));
}

Comparison rows_of(const Results& results)
{
    Comparison table;
    for (const Row& row : results.rows()) {
        table.rows.push_back(row.label);
        table.dimensions.push_back(row.dimension);
    }
    return table;
}

/// Where the encoder has no result of the task: in its rows, or one that is added.
void add_failure(Comparison& table, const Results& results, const Failure& failure)
{
    const auto no_entries = [](std::size_t count) {
        return std::vector<Entry>(count, entry_of(score_of({}, {}, nullptr)));
    };
    auto column = std::find_if(table.tasks.begin(), table.tasks.end(),
                               [&](const auto& task) { return task.task == failure.task; });
    if (column == table.tasks.end())
        column = table.tasks.insert(
            column, {failure.task, failure.metric, no_entries(table.rows.size()), nan});
    bool has_row = false;
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        if (row < results.rows().size() ? results.rows()[row].encoder == failure.encoder
                                        : table.rows[row] == failure.encoder) {
            column->entries[row].failed = true;
            has_row = true;
        }
    if (has_row)
        return;
    table.rows.push_back(failure.encoder);
    table.dimensions.push_back(0);
    for (TaskComparison& task : table.tasks)
        task.entries.push_back(no_entries(1).front());
    column->entries.back().failed = true;
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

} // namespace

std::string_view name_of(Verdict verdict)
{
    switch (verdict) {
    case Verdict::missing:
        break;
    case Verdict::reference:
        return "reference";
    case Verdict::tied:
        return "tied";
    case Verdict::better:
        return "better";
    case Verdict::worse:
        return "worse";
    case Verdict::not_comparable:
        return "not comparable";
    }
    return "";
}

Comparison tabulate(const Results& results,
                    std::span<const Failure> failures,
                    std::span<const std::string> order)
{
    Comparison table = rows_of(results);
    for (std::size_t task = 0; task < results.tasks().size(); ++task)
        table.tasks.push_back(column_of(results, task, results.metrics(task).front(), nullptr));
    for (const Failure& failure : failures)
        add_failure(table, results, failure);
    const auto place = [&](const TaskComparison& column) {
        return std::find(order.begin(), order.end(), column.task) - order.begin();
    };
    std::stable_sort(table.tasks.begin(), table.tasks.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
    for (TaskComparison& column : table.tasks)
        mark_best(column);
    table.averages = averages_of(table);
    warn_of_doubts(table, table.warnings);
    return table;
}

Comparison compare(const Results& results, const Options& options)
{
    Comparison comparison = rows_of(results);
    comparison.baseline = options.baseline;
    comparison.tested = true;
    const auto baseline = row_called(results, options.baseline);
    for (std::size_t task = 0; task < results.tasks().size(); ++task) {
        const auto& metrics = results.metrics(task);
        const task::Metric* metric =
            options.metric.empty() ? &metrics.front() : task::find_metric(metrics, options.metric);
        if (metric == nullptr)
            continue;
        auto compared = compare_task(results, task, *metric, baseline, options.resampling);
        const auto has_value = [](const Entry& entry) { return !std::isnan(entry.score.value); };
        if (options.metric.empty() ||
            std::any_of(compared.entries.begin(), compared.entries.end(), has_value))
            comparison.tasks.push_back(std::move(compared));
    }
    if (comparison.tasks.empty())
        fail_unknown_metric(results, options.metric);
    adjust(comparison.tasks);
    comparison.averages = averages_of(comparison);
    comparison.warnings = results.notes();
    warn_of_doubts(comparison, comparison.warnings);
    warn_of_dimensions(results, comparison.warnings);
    warn_of_data(results, comparison.warnings);
    warn_of_imports(results, comparison.warnings);
    warn_of_normalisation(results, comparison.tasks, comparison.warnings);
    return comparison;
}

} // namespace senteval::compare
