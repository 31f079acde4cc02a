// warnings_missing.cpp -- what a table lacks: results of a row, a metric of a task.
#include "compare/warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace senteval::compare {

void warn_of_averages(const Comparison& table, std::vector<std::string>& warnings)
{
    std::map<std::string, std::vector<const TaskComparison*>> units;
    for (const TaskComparison& task : table.tasks)
        if (task.metric.has_common_unit())
            units[task.metric.unit].push_back(&task);
    for (const auto& [unit, tasks] : units) {
        std::map<std::string, std::vector<std::string>> without; // rows by the tasks that they lack
        std::size_t rows_without = 0;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            std::vector<std::string> lacking;
            for (const TaskComparison* task : tasks)
                if (std::isnan(task->entries[row].score.value))
                    lacking.push_back(task->task);
            if (lacking.empty())
                continue;
            without[fmt::format("{}", fmt::join(lacking, ", "))].push_back(table.rows[row]);
            ++rows_without;
        }
        if (tasks.size() < 2 || rows_without == 0)
            continue;
        std::vector<std::string> parts;
        parts.reserve(without.size());
        for (const auto& [lacking, rows] : without)
            parts.push_back(fmt::format("{} (no score of {})", fmt::join(rows, ", "), lacking));
        const bool is_none_left = rows_without == table.rows.size();
        warnings.push_back(fmt::format(
            "{} {}. --tasks and --encoders choose what is compared.",
            is_none_left
                ? fmt::format("There is no average over the tasks in {}: each encoder lacks some:",
                              unit)
                : fmt::format("The average over the tasks in {} leaves out", unit),
            fmt::join(parts, "; ")));
    }
}

void warn_of_gaps(const Results& results,
                  const Comparison& table,
                  std::vector<std::string>& warnings)
{
    const auto has_result = [&](std::size_t row, const std::string& task) {
        return row < results.rows().size() &&
               !results.rows()[row].tasks[index_of(results, task)].empty();
    };
    std::map<std::string, std::size_t> of_unit;
    for (const TaskComparison& task : table.tasks)
        ++of_unit[task.metric.unit];
    for (const TaskComparison& task : table.tasks) {
        if (task.metric.has_common_unit() && of_unit[task.metric.unit] > 1)
            continue; // see warn_of_averages()
        std::vector<std::string> without;
        std::vector<std::string> undefined;
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            if (task.entries[row].score.seeds == 0)
                (has_result(row, task.task) ? undefined : without).push_back(table.rows[row]);
        if (!without.empty())
            warnings.push_back(
                fmt::format("{}: there is no result of {}.", task.task, fmt::join(without, ", ")));
        if (!undefined.empty())
            warnings.push_back(fmt::format("{}: the result of {} has no value of {}.", task.task,
                                           fmt::join(undefined, ", "), task.metric.path));
    }
}

void warn_of_metric(const Results& results,
                    const Comparison& table,
                    std::vector<std::string>& warnings)
{
    std::vector<std::string> without;
    for (const std::string& name : results.tasks())
        if (std::ranges::none_of(table.tasks,
                                 [&](const TaskComparison& task) { return task.task == name; }))
            without.push_back(name);
    if (!without.empty())
        warnings.push_back(fmt::format("Left out: {}, where no encoder has a value of '{}'.",
                                       fmt::join(without, ", "), table.metric));
}

} // namespace senteval::compare
