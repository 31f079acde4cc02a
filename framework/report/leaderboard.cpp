#include "base/counted.hpp"
#include "report/markup.hpp"
#include "report/sections.hpp"
#include "report/words.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace senteval::report::sections {
namespace {

using compare::Comparison;
using compare::Entry;
using compare::TaskComparison;
using compare::Verdict;
using markup::append;
using markup::escape;

constexpr std::size_t most_columns = 16; ///< tasks of one table
constexpr bool rising = true;

/// A column's heading, which sorts by it; `ascending` is the order of the first click.
void column_head(std::string_view label, std::string_view below, bool ascending, std::string& out)
{
    append(out, "<th scope=\"col\" data-first=\"{}\"><button type=\"button\">{}</button>",
           ascending ? "ascending" : "descending", markup::row_name(label));
    if (!below.empty())
        append(out, "<small>{}</small>", escape(below));
    out += "</th>";
}

/// The heading of a task's column, with a link to the task's plot.
void task_head(const TaskComparison& task, std::size_t at, std::string& out)
{
    append(out,
           "<th scope=\"col\" id=\"column-{0}\" data-first=\"{1}\"><button "
           "type=\"button\">{2}</button><small><a href=\"#plot-{0}\" title=\"Plot of "
           "{3}\">{4}</a></small></th>",
           at, task.metric.higher_is_better ? "descending" : "ascending",
           markup::row_name(heading_of(task)), escape(task.task), escape(task.metric.axis()));
}

/// Counts the tasks on which the row is the best or not significantly worse; against a baseline, those on which it is
/// better, tied and worse.
void count_cell(const Comparison& comparison, std::size_t row, std::string& out)
{
    if (comparison.options.baseline.empty()) {
        const Count count = count_of_best(comparison, row);
        append(out, "<td data-v=\"{0}\">{0} of {1}</td>", count.best, count.of);
        return;
    }
    if (comparison.rows[row] == comparison.options.baseline) {
        out += "<td class=\"missing\">–</td>";
        return;
    }
    const Against count = count_against_baseline(comparison, row);
    append(out, "<td data-v=\"{}\">{} / {} / {}</td>",
           static_cast<double>(count.better) - static_cast<double>(count.worse), count.better,
           count.tied, count.worse);
}

/// "72.61 [71.60, 73.61], sd 0.31 of 5 seeds, 10662 items; -0.40 [-1.20, 0.31] to BOREP, p = .21"
std::string title_of(const Comparison& comparison, const TaskComparison& task, const Entry& entry)
{
    const compare::Score& score = entry.score;
    const compare::Difference& difference = entry.difference;
    std::string title = fmt::format("{} {}", task.metric.text(score.value),
                                    full_interval(score.interval, task.metric));
    if (score.seeds > 1)
        append(title, ", sd {} of {}", task.metric.text(score.sd), seeds_text(score.seeds));
    if (score.items > 0)
        append(title, ", {}", base::counted(score.items, "item"));
    if (entry.verdict == Verdict::unknown)
        append(title, "; no verdict: {}", reason_for(difference.open));
    else if (task.reference && !std::isnan(difference.p_adjusted))
        append(title, "; {} {} to {}, p = {}", signed_full(difference.value, task.metric),
               full_interval(difference.interval, task.metric), comparison.rows[*task.reference],
               p_text(difference.p_adjusted));
    return title;
}

void score_cell(const Comparison& comparison,
                const TaskComparison& task,
                const Entry& entry,
                std::string& out)
{
    if (!entry.has_value()) {
        out += entry.failed ? "<td class=\"failed\">failed</td>" : "<td class=\"missing\">–</td>";
        return;
    }
    const std::string mark = mark_of(comparison, task, entry);
    append(out, "<td class=\"{}\" data-v=\"{:.6g}\" title=\"{}\">",
           is_bold(comparison, task, entry) ? "best" : "value", entry.score.value,
           escape(title_of(comparison, task, entry)));
    append(out, "<b>{}</b>{}", short_number(entry.score.value, task.metric),
           entry.difference.p_equivalent <= compare::level ? "≈" : "");
    if (!mark.empty())
        append(out, "<i class=\"mark\">{}</i>", mark);
    if (entry.failed)
        out += "<abbr title=\"some of it failed, or was not stored\">!</abbr>";
    if (!entry.trained_on.empty())
        append(out, "<abbr title=\"trained on sentences of {} test items\">†</abbr>",
               escape(entry.trained_on));
    out += "</td>";
}

/// Half the width of the interval of a difference, by task.
void precision_row(const Comparison& comparison,
                   const TaskGroup& tasks,
                   std::size_t summary_columns,
                   std::string& out)
{
    if (!comparison.tested)
        return;
    out += "<tfoot><tr><th scope=\"row\">half-width</th>";
    for (std::size_t i = 0; i < summary_columns; ++i)
        out += "<td></td>";
    for (std::size_t task = tasks.first; task < tasks.end; ++task) {
        const TaskComparison& own = comparison.tasks[task];
        append(out, "<td>{}</td>",
               std::isnan(own.half_width) ? "" : short_number(own.half_width, own.metric));
    }
    out += "</tr></tfoot>";
}

/// Encoders by tasks; the first table has counts and averages, too.
void table(const Comparison& comparison, const TaskGroup& tasks, bool is_first, std::string& out)
{
    const bool has_counts = comparison.tested && comparison.rows.size() > 1;
    append(out,
           "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">"
           "<table class=\"sortable\" data-late=\"{}\"><thead><tr>",
           escape(tasks.name), is_first ? comparison.averages.size() + 1 : 0);
    column_head("Encoder", "", rising, out);
    std::size_t summary_columns = 0;
    if (is_first) {
        if (has_counts)
            column_head(comparison.options.baseline.empty() ? "Best or =" : "Better / tied / worse",
                        "tasks", !rising, out);
        for (const compare::Average& average : comparison.averages)
            column_head(average.name, base::counted(average.tasks.size(), "task"), !rising, out);
        column_head("Dim", "", rising, out);
        summary_columns = 1 + comparison.averages.size() + (has_counts ? 1 : 0);
    }
    for (std::size_t task = tasks.first; task < tasks.end; ++task)
        task_head(comparison.tasks[task], task, out);
    out += "</tr></thead><tbody>";
    for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
        const std::string& name = comparison.rows[row];
        append(out, "<tr><th scope=\"row\" data-v=\"{}\">{}{}</th>", escape(name),
               markup::row_name(name),
               name == comparison.options.baseline ? "<small>baseline</small>" : "");
        if (is_first) {
            if (has_counts)
                count_cell(comparison, row, out);
            for (const compare::Average& average : comparison.averages)
                if (std::isnan(average.values[row]))
                    out += "<td class=\"missing\">–</td>";
                else
                    append(out, "<td data-v=\"{:.6g}\">{}</td>", average.values[row],
                           short_average(comparison, average, row));
            append(out, "<td data-v=\"{0}\">{0}</td>", comparison.dimensions[row]);
        }
        for (std::size_t task = tasks.first; task < tasks.end; ++task)
            score_cell(comparison, comparison.tasks[task], comparison.tasks[task].entries[row],
                       out);
        out += "</tr>\n";
    }
    out += "</tbody>";
    precision_row(comparison, tasks, summary_columns, out);
    out += "</table></div>\n";
}

/// All tasks, or of many the groups one by one.
std::vector<TaskGroup> tables_of(const Comparison& comparison)
{
    if (comparison.tasks.size() > most_columns)
        return groups_of(comparison);
    return {{"All tasks", 0, comparison.tasks.size()}};
}

void say(std::string_view what, const std::vector<SummaryLine>& lines, std::string& out)
{
    if (lines.empty())
        return;
    append(out, "<dl class=\"{}\">", what);
    for (const SummaryLine& line : lines)
        append(out, "<dt>{}</dt><dd>{}</dd>", escape(line.label), escape(line.text));
    out += "</dl>";
}

} // namespace

void leaderboard(const Page& page, std::string& out)
{
    const Comparison& comparison = page.comparison;
    if (comparison.rows.empty() || comparison.tasks.empty())
        return;
    markup::open_section(out, "leaderboard", "Leaderboard", "");
    say("verdict", answer_of(comparison), out);
    bool is_first = true;
    for (const TaskGroup& tasks : tables_of(comparison)) {
        if (comparison.tasks.size() > most_columns)
            append(out, "<h3>{}</h3>", escape(tasks.name));
        table(comparison, tasks, is_first, out);
        is_first = false;
    }
    out += "<p class=\"tools\" hidden><label>Show rows with<input type=\"search\" "
           "id=\"row-filter\" placeholder=\"words of a name\"/></label><output "
           "for=\"row-filter\"></output></p>";
    out += "<ul class=\"legend\">";
    for (const std::string& part : table_legend(comparison))
        append(out, "<li>{}</li>", escape(part));
    out += "<li class=\"pointer\">Point at a value for its interval, its seeds and its test</li>"
           "<li>A heading sorts; the metric below it leads to the plot</li></ul>";
    std::vector<SummaryLine> remarks = caution_lines(comparison);
    std::ranges::move(remarks_of(comparison, comparison.notes.size()), std::back_inserter(remarks));
    say("notes", remarks, out);
    out += "</section>";
}

} // namespace senteval::report::sections
