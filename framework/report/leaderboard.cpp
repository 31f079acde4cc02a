#include "report/markup.hpp"
#include "report/order.hpp"
#include "report/sections.hpp"

#include <algorithm>

namespace senteval::report::sections {
namespace {

using markup::append;
using markup::escape;
using markup::number;

bool starts_group(const Document& document, std::size_t task)
{
    return task == 0 || document.tasks[task].group != document.tasks[task - 1].group;
}

void head(const Document& document, std::string& out)
{
    out += "<thead><tr><td class=\"name\"></td><td colspan=\"2\"></td>";
    for (std::size_t task = 0; task < document.tasks.size();) {
        std::size_t end = task + 1;
        while (end < document.tasks.size() && !starts_group(document, end))
            ++end;
        append(out, "<th scope=\"colgroup\" class=\"group\" colspan=\"{}\">{}</th>", end - task,
               escape(document.tasks[task].group));
        task = end;
    }
    out +=
        "</tr><tr><th scope=\"col\" data-first=\"ascending\"><button "
        "type=\"button\">Encoder</button></th>"
        "<th scope=\"col\" data-first=\"ascending\"><button type=\"button\">Dimension</button></th>"
        "<th scope=\"col\" data-first=\"ascending\" aria-sort=\"ascending\"><button "
        "type=\"button\">Mean rank</button></th>";
    for (std::size_t task = 0; task < document.tasks.size(); ++task) {
        const Task& t = document.tasks[task];
        append(out,
               "<th scope=\"col\"{} data-first=\"{}\"><button type=\"button\">{}</button>"
               "<small>{}</small></th>",
               starts_group(document, task) ? " class=\"g\"" : "",
               t.higher_is_better ? "descending" : "ascending", escape(t.name), escape(t.metric));
    }
    out += "</tr></thead>";
}

void cell(const Document& document, std::size_t encoder, std::size_t task, std::string& out)
{
    const Cell& c = document.cell(encoder, task);
    const int decimals = document.tasks[task].decimals;
    const char* group = starts_group(document, task) ? " g" : "";
    if (!c.failure.empty()) {
        append(out, "<td class=\"failed{}\" title=\"{}\">failed</td>", group, escape(c.failure));
        return;
    }
    if (!c.score.known()) {
        append(out, "<td class=\"missing{}\">–</td>", group);
        return;
    }
    append(out, "<td class=\"{}{}\" data-v=\"{:.6g}\"",
           c.best   ? "best"
           : c.tied ? "tied"
                    : "",
           group, c.score.value);
    if (!std::isnan(c.p_versus_best))
        append(out, " title=\"p = {:.3g} against the best, n = {}\"", c.p_versus_best, c.items);
    append(out, "><b>{}</b>", number(c.score.value, decimals));
    if (c.best || c.tied)
        append(out, "<span class=\"visually-hidden\"> ({})</span>",
               c.best ? "best" : "tied with the best");
    if (c.score.has_interval())
        append(out, "<small>{}–{}</small>", number(c.score.low, std::max(1, decimals - 1)),
               number(c.score.high, std::max(1, decimals - 1)));
    out += "</td>";
}

void encoder_rows(const Document& document, std::string& out)
{
    const std::vector<double> ranks = mean_ranks(document);
    out += "<tbody>";
    for (const std::size_t encoder : by_mean_rank(document)) {
        const Encoder& e = document.encoders[encoder];
        append(out, "<tr><th scope=\"row\" data-v=\"{0}\" title=\"{1}\">{0}</th>", escape(e.name),
               escape(e.identity));
        if (e.dimension > 0)
            append(out, "<td data-v=\"{}\">{}</td>", e.dimension, markup::thousands(e.dimension));
        else
            out += "<td class=\"missing\">–</td>";
        if (std::isnan(ranks[encoder]))
            out += "<td class=\"missing\">–</td>";
        else
            append(out, "<td data-v=\"{0:.4f}\">{0:.2f}</td>", ranks[encoder]);
        for (std::size_t task = 0; task < document.tasks.size(); ++task)
            cell(document, encoder, task, out);
        out += "</tr>\n";
    }
    out += "</tbody>";
}

/// The published values of a row by task, in the metric's unit here; NaN where there is none.
std::vector<double> published_values(const Document& document,
                                     const PublishedTable& table,
                                     const PublishedTable::Row& row)
{
    std::vector<double> values(document.tasks.size(), not_a_number);
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        for (std::size_t task = 0; task < document.tasks.size(); ++task)
            if (table.columns[column].task == document.tasks[task].name &&
                table.columns[column].metric == document.tasks[task].metric)
                values[task] = row.values[column] * table.columns[column].scale;
    return values;
}

void published_rows(const Document& document, std::string& out)
{
    std::string rows;
    for (const PublishedTable& table : document.published) {
        for (const auto& row : table.rows) {
            const std::vector<double> values = published_values(document, table, row);
            if (!row.reference ||
                std::all_of(values.begin(), values.end(), [](double v) { return std::isnan(v); }))
                continue;
            append(rows,
                   "<tr><th scope=\"row\" title=\"{}\">{}<small>published: {}</small></th>"
                   "<td></td><td></td>",
                   escape(table.source), escape(row.name),
                   escape(table.title.substr(0, table.title.find(':'))));
            for (std::size_t task = 0; task < values.size(); ++task)
                append(rows, "<td{}>{}</td>", starts_group(document, task) ? " class=\"g\"" : "",
                       std::isnan(values[task])
                           ? ""
                           : number(values[task], std::max(1, document.tasks[task].decimals - 1)));
            rows += "</tr>\n";
        }
    }
    if (!rows.empty())
        append(out, "<tbody class=\"published\">{}</tbody>", rows);
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
    markup::open_section(out, "leaderboard", "Leaderboard",
                         "The score of each encoder on each task, with its 95 % interval below. "
                         "Underlined: the best of the task. Bold: not told from the best by a "
                         "paired test on the same items. A column's heading sorts by it. Rows in "
                         "italics are published by others and were not computed here.");
    out += "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Leaderboard table\">"
           "<table class=\"sortable\">";
    head(document, out);
    encoder_rows(document, out);
    published_rows(document, out);
    out += "</table></div></section>";
}

} // namespace senteval::report::sections
