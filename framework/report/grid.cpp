#include "base/csv.hpp"
#include "base/error.hpp"
#include "base/terminal.hpp"
#include "report/formats.hpp"
#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace senteval::report {
namespace {

using compare::Average;
using compare::Comparison;
using compare::Entry;
using compare::TaskComparison;

std::string value_text(const Entry& entry, const results::Metric& metric, const GridStyle& style)
{
    if (!entry.has_value())
        return entry.failed ? "failed" : "-";
    std::string text =
        style.exact ? metric.text(entry.score.value) : short_number(entry.score.value, metric);
    if (style.deviations && entry.score.seeds > 1)
        text += " ±" +
                (style.exact ? metric.text(entry.score.sd) : short_number(entry.score.sd, metric));
    return text;
}

/// Marks behind a value: of the verdict, the data, the run, the margin, and letters of groups.
std::string suffix(const Comparison& comparison,
                   const TaskComparison& task,
                   const Entry& entry,
                   const GridStyle& style)
{
    std::string text = style.marks ? mark_of(comparison, task, entry) : "";
    if (style.intervals && text == "=") // bold print says it
        text.clear();
    text += entry.trained_on.empty() ? "" : "†";
    if (entry.failed && entry.has_value())
        text += "!";
    if (style.marks && entry.difference.p_equivalent <= compare::level)
        text += "≈";
    if (style.marks && !entry.letters.empty())
        text += " " + entry.letters;
    return text;
}

/// A column of a task; what follows values has the same width in all rows.
void add_task(const Comparison& comparison,
              const TaskComparison& task,
              const GridStyle& style,
              TextTable& table)
{
    std::size_t widest = 0;
    for (const Entry& entry : task.entries)
        widest = std::max(widest, base::display_width(suffix(comparison, task, entry, style)));
    const auto with = [&](const std::string& text, const std::string& after) {
        return text + (style.intervals ? after : base::padded(after, widest));
    };
    table.front().push_back({with(heading_of(task), "")});
    for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
        const Entry& entry = task.entries[row];
        TextCell cell{
            with(value_text(entry, task.metric, style), suffix(comparison, task, entry, style)),
            is_bold(comparison, task, entry)};
        if (style.intervals)
            cell.small = full_interval(entry.score.interval, task.metric);
        table[row + 1].push_back(std::move(cell));
    }
    if (table.size() > comparison.rows.size() + 1)
        table.back().push_back({std::isnan(task.half_width)
                                    ? ""
                                    : with(short_number(task.half_width, task.metric), "")});
}

void add_average(const Comparison& comparison,
                 const Average& average,
                 const GridStyle& style,
                 TextTable& table)
{
    table.front().push_back({average.name});
    for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
        const double value = average.values[row];
        table[row + 1].push_back({std::isnan(value) ? "-"
                                  : style.exact     ? fmt::format("{:.{}f}", value, average.digits)
                                                    : short_average(comparison, average, row)});
    }
    if (table.size() > comparison.rows.size() + 1)
        table.back().push_back({""});
}

void add_counts(const Comparison& comparison, TextTable& table)
{
    const bool to_baseline = !comparison.options.baseline.empty();
    table.front().push_back({to_baseline ? "better / tied / worse" : "best or ="});
    for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
        const Count count = count_of_best(comparison, row);
        const auto [better, worse, tied] = count_against_baseline(comparison, row);
        std::string text = fmt::format("{} of {}", count.best, count.of);
        if (to_baseline)
            text = comparison.rows[row] == comparison.options.baseline
                       ? ""
                       : fmt::format("{} / {} / {}", better, tied, worse);
        else if (count.of == 0)
            text = "";
        table[row + 1].push_back({text});
    }
    table.back().push_back({""});
}

/// Of the vectors, where they differ.
void add_dimensions(const Comparison& comparison, TextTable& table)
{
    if (std::ranges::adjacent_find(comparison.dimensions, std::ranges::not_equal_to()) ==
        comparison.dimensions.end())
        return;
    table.front().push_back({"dim"});
    for (std::size_t row = 0; row < comparison.rows.size(); ++row)
        table[row + 1].push_back({comparison.dimensions[row] == 0
                                      ? "-"
                                      : fmt::format("{}", comparison.dimensions[row])});
    table.back().push_back({""});
}

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
    task.metric.title += " × 100";
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
    return {.exact = true, .marks = print == Print::full, .counts = false, .averages_first = false};
}

} // namespace

Grid grid_of(const Comparison& comparison, const GridStyle& style)
{
    const bool counts = style.counts && comparison.tested && comparison.rows.size() > 1 &&
                        std::ranges::any_of(comparison.tasks, [](const TaskComparison& task) {
                            return task.reference.has_value();
                        });
    Grid grid;
    grid.table.resize(comparison.rows.size() + (counts ? 2 : 1));
    grid.table.front().push_back({"encoder"});
    for (std::size_t row = 0; row < comparison.rows.size(); ++row)
        grid.table[row + 1].push_back({comparison.rows[row]});
    if (counts)
        grid.table.back().push_back({"half-width"});
    grid.groups.push_back(0);
    if (counts)
        add_counts(comparison, grid.table);
    const auto add_averages = [&] {
        for (const Average& average : comparison.averages)
            add_average(comparison, average, style, grid.table);
    };
    if (style.averages_first)
        add_averages();
    if (counts)
        add_dimensions(comparison, grid.table);
    grid.groups.resize(grid.table.front().size());
    for (const TaskComparison& task : comparison.tasks) {
        const bool goes_on = &task != comparison.tasks.data() && (&task - 1)->group == task.group;
        grid.groups.push_back(grid.groups.back() + (goes_on ? 0 : 1));
        add_task(comparison, task, style, grid.table);
    }
    if (!style.averages_first)
        add_averages();
    grid.groups.resize(grid.table.front().size(), grid.groups.back() + 1);
    return grid;
}

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
    throw base::UsageError("--table: there is no table '{}': take sts, transfer or probing", name);
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
        if (task.metric.unit == results::correlation)
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
    const auto add = [&](const SummaryLine& line) {
        out += base::wrapped(line.label + "  " + line.text, style.width, 0) + '\n';
    };
    std::ranges::for_each(caution_lines(printed), add);
    if (print == Print::plain)
        return out;
    std::vector<std::string> axes;
    for (const TaskComparison& task : printed.tasks)
        if (std::ranges::find(axes, task.metric.axis()) == axes.end())
            axes.push_back(task.metric.axis());
    out += base::wrapped(fmt::format("{}", fmt::join(axes, "; ")), style.width, 0) + '\n';
    if (const std::string marks = legend(printed); !marks.empty())
        out += base::wrapped(marks, style.width, 0) + '\n';
    std::ranges::for_each(remarks_of(printed), add);
    return out;
}

std::string paper_to_csv(const Comparison& printed)
{
    std::string out;
    for (const auto& row : grid_of(printed, style_of(Print::plain)).table)
        for (std::size_t c = 0; c < row.size(); ++c)
            out += (c == 0 ? "" : ",") + base::csv_field(row[c].text == "-" ? "" : row[c].text) +
                   (c + 1 == row.size() ? "\n" : "");
    return out;
}

} // namespace senteval::report
