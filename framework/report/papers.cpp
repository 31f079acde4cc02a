#include "report/papers.hpp"

#include "core/csv.hpp"
#include "core/error.hpp"
#include "report/grid.hpp"
#include "report/summary.hpp"
#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace senteval::report {
namespace {

using compare::Comparison;
using compare::TaskComparison;

constexpr int printed_digits = 2;

void scale(double factor, stats::Interval& interval)
{
    interval.low *= factor;
    interval.high *= factor;
}

/// Correlations times 100.
void print_as_percent(TaskComparison& task)
{
    constexpr double factor = 100;
    task.metric.title += " x 100";
    task.metric.unit = "";
    task.half_width *= factor;
    task.detectable *= factor;
    for (compare::Entry& entry : task.entries) {
        entry.score.value *= factor;
        entry.score.sd *= factor;
        scale(factor, entry.score.interval);
        entry.difference.value *= factor;
        scale(factor, entry.difference.interval);
    }
}

compare::Average average_of(const Comparison& printed, const PaperTable& table)
{
    compare::Average average{"Avg.", printed_digits, {}, std::vector<double>(printed.rows.size())};
    if (printed.tasks.size() < table.tasks.size())
        average.name = fmt::format("Avg. of {}", printed.tasks.size());
    for (const TaskComparison& task : printed.tasks) {
        average.tasks.push_back(task.task);
        for (std::size_t row = 0; row < printed.rows.size(); ++row)
            average.values[row] +=
                task.entries[row].score.value / static_cast<double>(printed.tasks.size());
    }
    return average;
}

GridStyle style_of(Print print)
{
    return {.exact = true, .marks = print == Print::full, .counts = false};
}

} // namespace

std::span<const PaperTable> paper_tables()
{
    static const std::vector<PaperTable> tables = {
        {"sts",
         {"STS12", "STS13", "STS14", "STS15", "STS16", "STSBenchmarkUnsupervised",
          "SICKRelatednessUnsupervised"},
         "all.spearman.all,spearman",
         true},
        {"transfer", {"MR", "CR", "SUBJ", "MPQA", "SST2", "TREC", "MRPC"}, "acc", true},
        {"probing",
         {"Length", "WordContent", "Depth", "TopConstituents", "BigramShift", "Tense", "SubjNumber",
          "ObjNumber", "OddManOut", "CoordinationInversion"},
         "acc",
         false}};
    return tables;
}

const PaperTable* paper_table_of(std::span<const std::string> tasks)
{
    for (const PaperTable& table : paper_tables())
        if (tasks.size() == table.tasks.size() && std::ranges::is_permutation(tasks, table.tasks))
            return &table;
    return nullptr;
}

const PaperTable& paper_table(std::string_view name)
{
    for (const PaperTable& table : paper_tables())
        if (table.name == name)
            return table;
    throw core::UsageError("--table: there is no table '{}': take sts, transfer or probing", name);
}

Comparison as_printed(Comparison comparison, const PaperTable& table)
{
    const auto place = [&](const TaskComparison& task) {
        return std::ranges::find(table.tasks, task.task) - table.tasks.begin();
    };
    std::erase_if(comparison.tasks, [&](const TaskComparison& task) {
        return place(task) == std::ssize(table.tasks);
    });
    std::ranges::stable_sort(comparison.tasks, {}, place);
    for (TaskComparison& task : comparison.tasks) {
        if (task.metric.unit == task::correlation)
            print_as_percent(task);
        task.metric.digits = printed_digits;
    }
    comparison.averages.clear();
    if (table.has_average && comparison.tasks.size() > 1)
        comparison.averages.push_back(average_of(comparison, table));
    return comparison;
}

std::string paper_to_terminal(const Comparison& printed, const TerminalStyle& style, Print print)
{
    const Grid grid = grid_of(printed, style_of(print));
    std::string out = to_terminal(grid.table, style, grid.groups);
    if (print == Print::plain)
        return out;
    std::vector<std::string> axes;
    for (const TaskComparison& task : printed.tasks)
        if (std::ranges::find(axes, task.metric.axis()) == axes.end())
            axes.push_back(task.metric.axis());
    out += wrapped(fmt::format("{}", fmt::join(axes, "; ")), style.width, 0) + '\n';
    if (const std::string marks = legend(printed); !marks.empty())
        out += wrapped(marks, style.width, 0) + '\n';
    for (const SummaryLine& line : summary_of(printed))
        if (line.label == "caution" || line.label == "open")
            out += wrapped(line.label + "  " + line.text, style.width, 0) + '\n';
    return out;
}

std::string paper_to_csv(const Comparison& printed)
{
    std::string out;
    for (const auto& row : grid_of(printed, style_of(Print::plain)).table)
        for (std::size_t c = 0; c < row.size(); ++c)
            out += (c == 0 ? "" : ",") + core::csv_field(row[c].text == "-" ? "" : row[c].text) +
                   (c + 1 == row.size() ? "\n" : "");
    return out;
}

} // namespace senteval::report
