#include "report/labels.hpp"
#include "report/markup.hpp"
#include "report/order.hpp"
#include "report/sections.hpp"

#include <algorithm>

namespace senteval::report::sections {
namespace {

using markup::append;
using markup::escape;
using markup::number;

constexpr bool rising = true;

/// A column's heading, which sorts by it; `ascending` is the order of the first click.
void column_head(
    std::string_view label, std::string_view below, bool ascending, bool sorted, std::string& out)
{
    append(out, "<th scope=\"col\" data-first=\"{}\"{}><button type=\"button\">{}</button>",
           ascending ? "ascending" : "descending", sorted ? " aria-sort=\"ascending\"" : "",
           markup::escape_breakable(label));
    if (!below.empty())
        append(out, "<small>{}</small>", escape(below));
    out += "</th>";
}

/// The heading of a task's column, with a link to the task's plot where it has one.
void task_head(const Document& document, std::size_t task, std::string& out)
{
    const Task& t = document.tasks[task];
    append(out,
           "<th scope=\"col\" id=\"column-{}\" data-first=\"{}\"><button "
           "type=\"button\">{}</button><small>",
           task, t.higher_is_better ? "descending" : "ascending",
           markup::escape_breakable(markup::marked_name(t)));
    bool plotted = false;
    for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder)
        plotted = plotted || document.cell(encoder, task).score.known();
    if (plotted)
        append(out, "<a href=\"#plot-{}\" title=\"Plot of {}\">{}</a>", task, escape(t.name),
               escape(t.metric));
    else
        out += escape(t.metric);
    out += "</small></th>";
}

void open_table(std::string_view label, std::string& out)
{
    append(out,
           "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">"
           "<table class=\"sortable\"><thead><tr>",
           escape(label));
    column_head("Encoder", "", rising, false, out);
}

void row_head(const Encoder& encoder, std::string& out)
{
    append(out, "<tr><th scope=\"row\" data-v=\"{}\" title=\"{}\">{}</th>", escape(encoder.name),
           escape(encoder.identity), markup::row_name(encoder.name));
}

void rank_cell(double rank, std::string& out)
{
    if (std::isnan(rank))
        out += "<td class=\"missing\">–</td>";
    else
        append(out, "<td data-v=\"{0:.4f}\">{0:.2f}</td>", rank);
}

void score_cell(const Cell& cell, int decimals, std::string& out)
{
    if (!cell.failure.empty()) {
        append(out, "<td class=\"failed\" title=\"{}\">failed</td>", escape(cell.failure));
        return;
    }
    if (!cell.score.known()) {
        out += "<td class=\"missing\">–</td>";
        return;
    }
    append(out, "<td class=\"{}\" data-v=\"{:.6g}\"",
           cell.best   ? "best"
           : cell.tied ? "tied"
                       : "value",
           cell.score.value);
    if (!std::isnan(cell.p_versus_best))
        append(out, " title=\"p = {:.3g} against {}, n = {}\"", cell.p_versus_best,
               escape(cell.against), cell.items);
    else if (!cell.undecided.empty())
        append(out, " title=\"no verdict: {}\"", escape(cell.undecided));
    else if (!cell.not_comparable.empty())
        append(out, " title=\"not comparable: {}\"", escape(cell.not_comparable));
    append(out, "><b>{}</b>", number(cell.score.value, decimals));
    if (cell.is_partial)
        out += "<abbr title=\"some of it failed, or was not stored\">!</abbr>";
    if (!cell.doubts.empty())
        append(out, "<abbr title=\"{}\">*</abbr>", escape(cell.doubts));
    if (!cell.trained_on.empty())
        append(out, "<abbr title=\"{}\">†</abbr>", escape(cell.trained_on));
    if (!cell.not_comparable.empty() || !cell.undecided.empty())
        out += "<span class=\"untested\">?</span>";
    if (cell.is_near_best())
        append(out, "<span class=\"visually-hidden\"> ({})</span>",
               cell.best ? "best" : "tied with the best");
    if (cell.score.has_interval())
        append(out, "<small>[{}, {}]</small>", number(cell.score.low, std::max(1, decimals - 1)),
               number(cell.score.high, std::max(1, decimals - 1)));
    out += "</td>";
}

/// The published values of a row by task, in the metric's unit here; NaN where there is none.
std::vector<double> published_values(const Document& document,
                                     const TaskGroup& group,
                                     const PublishedTable& table,
                                     const PublishedTable::Row& row)
{
    std::vector<double> values(group.end - group.first, core::nan);
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        for (std::size_t task = group.first; task < group.end; ++task)
            if (table.columns[column].compares_with(document.tasks[task]))
                values[task - group.first] = row.values[column] * table.columns[column].scale;
    return values;
}

void published_row(const Document& document,
                   const TaskGroup& group,
                   const PublishedTable& table,
                   const PublishedTable::Row& row,
                   std::string& out)
{
    const std::vector<double> values = published_values(document, group, table, row);
    if (std::all_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
        return;
    append(out, "<tr><th scope=\"row\" title=\"{}\">{}<small>published: {}</small></th>{}",
           escape(table.source), markup::row_name(row.name),
           escape(table.title.substr(0, table.title.find(':'))),
           ranked_tasks(document, group.first, group.end).empty() ? "" : "<td></td>");
    for (std::size_t i = 0; i < values.size(); ++i) {
        const int decimals = std::max(1, document.tasks[group.first + i].decimals - 1);
        append(out, "<td>{}</td>", std::isnan(values[i]) ? "" : number(values[i], decimals));
    }
    out += "</tr>\n";
}

void group_table(const Document& document, const TaskGroup& group, std::string& out)
{
    append(out, "<h3>{}</h3>", escape(group.name));
    open_table(group.name, out);
    const std::size_t counted = ranked_tasks(document, group.first, group.end).size();
    if (counted > 0)
        column_head("Mean rank",
                    counted == group.end - group.first
                        ? "of these tasks"
                        : fmt::format("of {} of these tasks", counted),
                    rising, false, out);
    for (std::size_t task = group.first; task < group.end; ++task) {
        task_head(document, task, out);
    }
    out += "</tr></thead><tbody>";
    const std::vector<double> ranks = mean_ranks(document, group.first, group.end);
    for (const std::size_t encoder : by_mean_rank(document)) {
        row_head(document.encoders[encoder], out);
        if (counted > 0)
            rank_cell(ranks[encoder], out);
        for (std::size_t task = group.first; task < group.end; ++task)
            score_cell(document.cell(encoder, task), document.tasks[task].decimals, out);
        out += "</tr>\n";
    }
    out += "</tbody>";
    std::string published;
    for (const PublishedTable& table : document.published)
        for (const auto& row : table.rows)
            if (row.reference)
                published_row(document, group, table, row, published);
    if (!published.empty())
        append(out, "<tbody class=\"published\">{}</tbody>", published);
    out += "</table></div>\n";
}

struct Tally {
    std::size_t results = 0;
    std::size_t best = 0;
    std::size_t top = 0; ///< best or tied with the best
};

Tally tally(const Document& document, std::size_t encoder)
{
    Tally result;
    for (std::size_t task = 0; task < document.tasks.size(); ++task) {
        const Cell& cell = document.cell(encoder, task);
        result.results += cell.score.known() ? 1U : 0U;
        result.best += cell.best ? 1U : 0U;
        result.top += cell.is_near_best() ? 1U : 0U;
    }
    return result;
}

/// Whom the mean ranks are of, and why others have none.
void say_what_is_ranked(const Document& document, std::string& out)
{
    const RankDiagram& ranks = document.ranks;
    if (document.encoders.size() < 2 || (ranks.tasks.empty() && ranks.left_out.empty()))
        return;
    std::string text =
        ranks.tasks.empty()
            ? std::string("No mean ranks: no two encoders share two tasks on which they can be "
                          "compared.")
            : fmt::format(
                  "Mean ranks: of {} of {} encoders, over the {} of {} tasks on each of which "
                  "these can be compared with each other.",
                  ranks.encoders.size(), document.encoders.size(), ranks.tasks.size(),
                  document.tasks.size());
    if (!ranks.left_out.empty())
        text += fmt::format(" {}{}.", ranks.tasks.empty() ? "" : "Left out: ", ranks.left_out);
    append(out, "<p class=\"note\">{}</p>\n", escape(text));
}

void overview(const Document& document, const std::vector<TaskGroup>& groups, std::string& out)
{
    open_table("Overview", out);
    column_head("Dimension", "", rising, false, out);
    std::vector<std::vector<double>> ranks;
    const std::size_t counted = document.ranks.tasks.size();
    if (counted > 0) {
        column_head("Mean rank",
                    counted == document.tasks.size() ? "all tasks"
                                                     : fmt::format("{} tasks", counted),
                    rising, true, out);
        ranks.push_back(mean_ranks(document, 0, document.tasks.size()));
    }
    for (const TaskGroup& group : groups) {
        if (ranked_tasks(document, group.first, group.end).empty())
            continue;
        column_head("Mean rank", group.name, rising, false, out);
        ranks.push_back(mean_ranks(document, group.first, group.end));
    }
    column_head("Best", "tasks", !rising, false, out);
    column_head("Best or tied", "tasks", !rising, false, out);
    column_head("Results", "tasks", !rising, false, out);
    out += "</tr></thead><tbody>";
    for (const std::size_t encoder : by_mean_rank(document)) {
        const Encoder& e = document.encoders[encoder];
        row_head(e, out);
        if (e.dimension > 0)
            append(out, "<td data-v=\"{}\">{}</td>", e.dimension, markup::thousands(e.dimension));
        else
            out += "<td class=\"missing\">–</td>";
        for (const auto& column : ranks)
            rank_cell(column[encoder], out);
        const Tally counts = tally(document, encoder);
        for (const std::size_t count : {counts.best, counts.top, counts.results})
            append(out, "<td data-v=\"{0}\">{0}</td>", count);
        out += "</tr>\n";
    }
    out += "</tbody></table></div>\n";
}

} // namespace

void warnings(const Document& document, std::string& out)
{
    if (document.warnings.empty())
        return;
    out += "<section class=\"warnings\" aria-label=\"Warnings\"><h2>Before you compare</h2><ul>";
    for (const std::string& warning : document.warnings)
        append(out, "<li>{}</li>", escape(warning));
    out += "</ul></section>";
}

void leaderboard(const Document& document, std::string& out)
{
    if (document.encoders.empty() || document.tasks.empty())
        return;
    markup::open_section(
        out, "leaderboard", "Leaderboard",
        "The score of each encoder on each task, with its 95 % interval below. "
        "Underlined: the best of the task, or of those that have a verdict and can be compared "
        "with "
        "each other. Bold: not told from the best by a paired test on the same items; ?: no "
        "verdict (the title says why); *: not the published data; !: some of it failed, or was not "
        "stored. A column's heading sorts by it; the metric below leads to its plot. Rows "
        "in "
        "italics are published by others and were not computed here.");
    out += "<p class=\"tools\" hidden><label>Show rows with<input type=\"search\" "
           "id=\"row-filter\" placeholder=\"words of a name\"/></label><output "
           "for=\"row-filter\"></output></p>";
    const std::vector<TaskGroup> groups = groups_of(document);
    overview(document, groups, out);
    say_what_is_ranked(document, out);
    for (const TaskGroup& group : groups)
        group_table(document, group, out);
    out += "</section>";
}

} // namespace senteval::report::sections
