#include "report/labels.hpp"
#include "report/markup.hpp"
#include "report/sections.hpp"

#include <algorithm>

namespace senteval::report::sections {
namespace {

using markup::append;
using markup::escape;
using markup::number;

struct Head {
    std::string label;
    bool is_text = false; ///< left-aligned
};

/// Opens a scrolling table with a heading for each column; the first names the rows.
void open_table(std::string_view label, const std::vector<Head>& columns, std::string& out)
{
    append(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><thead><tr>",
        escape(label));
    for (const Head& column : columns)
        append(out, "<th scope=\"col\"{}>{}</th>", column.is_text ? " class=\"name\"" : "",
               escape(column.label));
    out += "</tr></thead><tbody>";
}

void close_table(std::string& out)
{
    out += "</tbody></table></div>";
}

/// 3 or 3.5: a rank.
std::string rank_text(double value)
{
    return std::isnan(value) ? "–" : fmt::format("{:g}", value);
}

void comparison(const SideBySide& pair, std::string& out)
{
    append(out, "<h3>{}</h3><p class=\"note\">{}</p>", escape(pair.title), escape(pair.unit));
    open_table(pair.title,
               {{"Encoder"},
                {pair.left},
                {"rank"},
                {pair.right},
                {"rank"},
                {"difference"},
                {"change of rank"}},
               out);
    for (const SideBySide::Row& row : pair.rows) {
        const double gained = row.left_rank - row.right_rank;
        append(out,
               "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
               "<td>{}</td>",
               markup::row_name(row.encoder), number(row.left, pair.decimals),
               rank_text(row.left_rank), number(row.right, pair.decimals),
               rank_text(row.right_rank), number(row.right - row.left, pair.decimals));
        if (gained > 0)
            append(out, "<td class=\"up\">▲ up {:g}</td></tr>", gained);
        else if (gained < 0)
            append(out, "<td class=\"down\">▼ down {:g}</td></tr>", -gained);
        else
            out += "<td>–</td></tr>";
    }
    close_table(out);
}

/// The score of an encoder in the units of a published column; NaN where it is not in the report.
double comparable_score(const Document& document,
                        std::size_t encoder,
                        const PublishedTable::Column& column)
{
    for (std::size_t task = 0; task < document.tasks.size(); ++task) {
        const Cell& cell = document.cell(encoder, task);
        if (document.tasks[task].name != column.task || !cell.is_of_published_set())
            continue;
        if (document.tasks[task].metric == column.metric)
            return cell.score.value / column.scale;
        if (const auto found = cell.metrics.find(column.metric); found != cell.metrics.end())
            return found->second / column.scale;
    }
    return core::nan;
}

/// The report's encoders that have a score in some column of the table.
std::vector<PublishedTable::Row> comparable_rows(const Document& document,
                                                 const PublishedTable& table)
{
    std::vector<PublishedTable::Row> rows;
    for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder) {
        PublishedTable::Row row{document.encoders[encoder].name, {}};
        for (const auto& column : table.columns)
            row.values.push_back(comparable_score(document, encoder, column));
        if (!std::all_of(row.values.begin(), row.values.end(),
                         [](double value) { return std::isnan(value); }))
            rows.push_back(row);
    }
    return rows;
}

void by_row(const PublishedTable& table,
            const std::vector<PublishedTable::Row>& own,
            std::string& out)
{
    std::vector<Head> heads{{"Published"}};
    for (const auto& column : table.columns)
        heads.push_back({column.label});
    open_table(table.title, heads, out);
    const auto line = [&](const PublishedTable::Row& row) {
        append(out, "<tr><th scope=\"row\">{}</th>", markup::row_name(row.name));
        for (const double value : row.values)
            append(out, "<td>{}</td>", number(value, table.decimals));
        out += "</tr>";
    };
    std::for_each(table.rows.begin(), table.rows.end(), line);
    if (!own.empty())
        append(out,
               "</tbody><tbody class=\"own\"><tr><th scope=\"rowgroup\" "
               "colspan=\"{}\">Encoders of this report</th></tr>",
               table.columns.size() + 1);
    std::for_each(own.begin(), own.end(), line);
    close_table(out);
}

/// Turned round: a table of many columns is easier to read downwards.
void by_column(const PublishedTable& table,
               const std::vector<PublishedTable::Row>& own,
               std::string& out)
{
    std::vector<Head> heads{{"Published"}};
    for (const auto& row : table.rows)
        heads.push_back({row.name});
    for (const auto& row : own)
        heads.push_back({"here: " + row.name});
    open_table(table.title, heads, out);
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        append(out, "<tr><th scope=\"row\">{}</th>", escape(table.columns[column].label));
        for (const auto* rows : {&table.rows, &own})
            for (const auto& row : *rows)
                append(out, "<td>{}</td>", number(row.values[column], table.decimals));
        out += "</tr>";
    }
    close_table(out);
}

void published_table(const Document& document, const PublishedTable& table, std::string& out)
{
    append(out, "<details><summary>{}</summary><p class=\"note\">{} Source: {}.</p>",
           escape(table.title), escape(table.note), escape(table.source));
    const auto own = comparable_rows(document, table);
    if (table.columns.size() > 12)
        by_column(table, own, out);
    else
        by_row(table, own, out);
    out += "</details>";
}

void facts(const Provenance& block, std::string& out)
{
    append(out, "<details><summary>{}</summary><dl class=\"facts\">", escape(block.title));
    for (const auto& [key, value] : block.facts)
        append(out, "<dt>{}</dt><dd>{}</dd>", escape(key), escape(value));
    out += "</dl></details>";
}

} // namespace

void side_by_side(const Document& document, std::string& out)
{
    if (document.side_by_side.empty())
        return;
    markup::open_section(out, "side-by-side", "Side by side",
                         "The same embeddings measured in two ways. An order that changes with the "
                         "way of measuring is no property of the encoders. Results that cannot "
                         "be compared with the others have no rank.");
    for (const SideBySide& pair : document.side_by_side)
        comparison(pair, out);
    out += "</section>";
}

void seeds(const Document& document, std::string& out)
{
    if (document.seeds.empty())
        return;
    markup::open_section(
        out, "seeds", "Seeds",
        "Mean and standard deviation over runs with other seeds, and where the "
        "variance of a score comes from, as standard deviations: the encoder's seed, "
        "the classifier's seed, both together, the draw of the test items, and that of the "
        "training set where it was resampled.");
    open_table("Seeds",
               {{"Encoder"},
                {"Task", true},
                {"runs"},
                {"mean"},
                {"sd"},
                {"encoder seed"},
                {"classifier seed"},
                {"together"},
                {"test items"},
                {"training set"}},
               out);
    for (const SeedSpread& s : document.seeds) {
        append(out, "<tr><th scope=\"row\">{}</th><td class=\"name\">{}</td><td>{}</td><td>{}</td>",
               markup::row_name(s.encoder), escape(markup::marked_name(document, s.task)), s.runs,
               number(s.mean, s.decimals));
        for (const double value :
             {s.sd, std::sqrt(s.encoder_seed), std::sqrt(s.classifier_seed),
              std::sqrt(s.interaction), std::sqrt(s.test_sampling), std::sqrt(s.training_set)})
            append(out, "<td>{}</td>", number(value, s.decimals + 1));
        out += "</tr>";
    }
    close_table(out);
    out += "</section>";
}

void worst_errors(const Document& document, std::string& out)
{
    if (document.errors.empty())
        return;
    markup::open_section(out, "errors", "Worst errors",
                         "The items of each task that were missed by most.");
    for (const WorstErrors& errors : document.errors) {
        const bool pairs = std::any_of(errors.rows.begin(), errors.rows.end(),
                                       [](const auto& row) { return !row.second.empty(); });
        append(out, "<details><summary>{}, {}</summary>",
               escape(errors.task + (errors.is_doubtful ? "*" : "")), escape(errors.encoder));
        std::vector<Head> heads{{"#"}, {pairs ? "First sentence" : "Sentence", true}};
        if (pairs)
            heads.push_back({"Second sentence", true});
        heads.insert(heads.end(), {{"gold"}, {"predicted"}});
        open_table("Worst errors", heads, out);
        for (std::size_t i = 0; i < errors.rows.size(); ++i) {
            const auto& row = errors.rows[i];
            append(out, "<tr><th scope=\"row\">{}</th><td class=\"text\">{}</td>", i + 1,
                   escape(row.first));
            if (pairs)
                append(out, "<td class=\"text\">{}</td>", escape(row.second));
            append(out, "<td>{}</td><td>{}</td></tr>", escape(row.gold), escape(row.prediction));
        }
        close_table(out);
        out += "</details>";
    }
    out += "</section>";
}

void published(const Document& document, std::string& out)
{
    if (document.published.empty())
        return;
    markup::open_section(
        out, "published", "Published results",
        "Printed in papers, not computed here: other vectors, versions of the data "
        "and settings may stand behind them. Where a column is a task and metric of "
        "this report, this report's encoders stand beside them, in the table's units.");
    for (const PublishedTable& table : document.published)
        published_table(document, table, out);
    out += "</section>";
}

void provenance(const Document& document, std::string& out)
{
    if (document.encoders.empty() && document.provenance.empty() && document.methods.empty())
        return;
    markup::open_section(out, "provenance", "Provenance", "");
    if (!document.methods.empty()) {
        out += "<h3>Methods</h3><ul>";
        for (const std::string& method : document.methods)
            append(out, "<li>{}</li>", escape(method));
        out += "</ul>";
    }
    out += "<h3>Encoders</h3>";
    open_table("Encoders", {{"Encoder"}, {"dimension"}, {"identity", true}, {"fingerprint", true}},
               out);
    for (const Encoder& e : document.encoders)
        append(out,
               "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"text\">{}</td><td "
               "class=\"name\">{}</td></tr>",
               markup::row_name(e.name), e.dimension, escape(e.identity), escape(e.fingerprint));
    close_table(out);
    out += "<h3>Tasks</h3>";
    open_table("Tasks",
               {{"Task"},
                {"group", true},
                {"metric", true},
                {"test items"},
                {"detectable difference"},
                {"protocol", true}},
               out);
    for (const Task& t : document.tasks)
        append(out,
               "<tr><th scope=\"row\">{}</th><td class=\"name\">{}</td><td class=\"name\">{}</td>"
               "<td>{}</td><td>{}</td><td class=\"text\">{}</td></tr>",
               markup::row_name(markup::marked_name(t)), escape(t.group), escape(t.metric),
               markup::items_of(t), markup::detectable(t), escape(t.protocol));
    close_table(out);
    for (const Provenance& block : document.provenance)
        facts(block, out);
    out += "</section>";
}

} // namespace senteval::report::sections
