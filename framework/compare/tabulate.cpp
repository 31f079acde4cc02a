#include "compare/columns.hpp"
#include "compare/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace senteval::compare {
namespace {

Entry entry_of(Score score)
{
    Entry entry;
    entry.score = std::move(score);
    return entry;
}

/// Where the encoder has no result of the task: in its rows, or one that is added.
void add_failure(Comparison& table, const Results& results, const Failure& failure)
{
    const auto no_entries = [](std::size_t count) { return std::vector<Entry>(count); };
    auto column = std::find_if(table.tasks.begin(), table.tasks.end(),
                               [&](const auto& task) { return task.task == failure.task; });
    if (column == table.tasks.end())
        column = table.tasks.insert(column,
                                    {failure.task, failure.metric, no_entries(table.rows.size())});
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

} // namespace

std::vector<std::string> doubts_of(const Runs& runs)
{
    std::vector<std::string> doubts;
    for (const run::Cell* cell : runs)
        add_distinct(cell->document.at("data").value("doubts", std::vector<std::string>()), doubts);
    return doubts;
}

void add_distinct(std::span<const std::string> texts, std::vector<std::string>& all)
{
    for (const std::string& text : texts)
        if (std::find(all.begin(), all.end(), text) == all.end())
            all.push_back(text);
}

std::string training_overlap(const Runs& runs)
{
    for (const run::Cell* cell : runs)
        if (const auto overlap = cell->document.find("overlap"); overlap != cell->document.end())
            return fmt::format("{} of {}", overlap->at("items").get<std::size_t>(),
                               overlap->at("of").get<std::size_t>());
    return {};
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

TaskComparison column_of(const Results& results,
                         std::size_t task,
                         const task::Metric& metric,
                         const std::function<Score(std::size_t row)>& score_of_row)
{
    TaskComparison column{results.tasks()[task], metric};
    for (std::size_t row = 0; row < results.rows().size(); ++row) {
        column.entries.push_back(entry_of(score_of_row(row)));
        column.entries.back().doubts = doubts_of(results.rows()[row].tasks[task]);
        column.entries.back().failed = results.has_lost(results.rows()[row], results.tasks()[task]);
        column.entries.back().trained_on = training_overlap(results.rows()[row].tasks[task]);
    }
    return column;
}

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

void mark_best(TaskComparison& column)
{
    const auto best = best_of(column);
    for (Entry& entry : column.entries)
        entry.is_best = best && entry.score.value == column.entries[*best].score.value &&
                        (entry.score.items > 0) == (column.entries[*best].score.items > 0);
}

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
        at->doubtful.resize(table.rows.size());
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            at->values[row] += task.entries[row].score.value; // NaN stays
            at->doubtful[row] = at->doubtful[row] || !task.entries[row].doubts.empty();
        }
    }
    std::erase_if(averages, [](const Average& average) { return average.tasks.size() < 2; });
    for (Average& average : averages)
        for (double& value : average.values)
            value /= static_cast<double>(average.tasks.size());
    std::erase_if(averages, [](const Average& average) { // no row has all of its tasks
        return std::all_of(average.values.begin(), average.values.end(),
                           [](double value) { return std::isnan(value); });
    });
    return averages;
}

Comparison tabulate(const Results& results,
                    std::span<const Failure> failures,
                    std::span<const std::string> order)
{
    Comparison table = rows_of(results);
    for (std::size_t task = 0; task < results.tasks().size(); ++task) {
        const task::Metric& metric = results.metrics(task).front();
        table.tasks.push_back(column_of(results, task, metric, [&](std::size_t row) {
            return score_of(results.rows()[row].tasks[task], metric);
        }));
    }
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
    table.warnings = results.notes();
    add_distinct(warnings_of_doubts(table), table.warnings);
    warn_of_training(results, table, table.warnings);
    warn_of_coverage(results, table, table.warnings);
    warn_of_uninformative(results, table, table.warnings);
    warn_of_encoders(results, table, table.warnings);
    return table;
}

} // namespace senteval::compare
