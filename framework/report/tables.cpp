// Plain tables: scores over dimension and on parts of a test set, spread over seeds, worst errors, results of the
// literature.
#include "report/markup.hpp"
#include "report/published.hpp"
#include "report/sections.hpp"
#include "report/words.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace senteval::report::sections {
namespace {

using compare::TaskComparison;
using markup::append;
using markup::escape;
using markup::Head;
using markup::number;
using markup::open_table;

/// The score of a row as a published column has it; NaN where that does not compare.
double comparable_score(const Page& page, std::size_t row, const PublishedTable::Column& column)
{
    const auto task = std::ranges::find(page.comparison.tasks, column.task, &TaskComparison::task);
    if (task == page.comparison.tasks.end() || !is_published_set(*task))
        return base::nan;
    if (task->metric.path == column.metric)
        return task->entries[row].score.value / column.scale;
    const compare::Runs runs = runs_of(page, row, column.task);
    if (runs.empty())
        return base::nan;
    const auto& described = page.results.metrics(compare::index_of(page.results, column.task));
    const results::Metric* metric = results::find_metric(described, column.metric);
    double sum = 0;
    for (const results::Cell* cell : runs)
        sum += metric == nullptr ? base::nan
                                 : metric->value_in(cell->result.metrics).value_or(base::nan);
    return sum / static_cast<double>(runs.size()) / column.scale;
}

/// The encoders here that have a score in some column of the table.
std::vector<PublishedTable::Row> comparable_rows(const Page& page, const PublishedTable& table)
{
    std::vector<PublishedTable::Row> rows;
    for (std::size_t at = 0; at < page.comparison.rows.size(); ++at) {
        PublishedTable::Row row{page.comparison.rows[at], {}};
        for (const auto& column : table.columns)
            row.values.push_back(comparable_score(page, at, column));
        if (!std::ranges::all_of(row.values, [](double value) { return std::isnan(value); }))
            rows.push_back(std::move(row));
    }
    return rows;
}

/// Columns of the paper downwards: they are many, and encoders few.
void published_table(const PublishedTable& table,
                     const std::vector<PublishedTable::Row>& own,
                     std::string& out)
{
    append(out, "<details><summary>{}</summary><p class=\"note\">{} Source: {}.</p>",
           escape(table.title), escape(table.note), escape(table.source));
    std::vector<Head> heads{{"Published"}};
    for (const auto& row : table.rows)
        heads.push_back({row.name});
    for (const auto& row : own)
        heads.push_back({"here: " + row.name});
    open_table(out, table.title, heads);
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        append(out, "<tr><th scope=\"row\">{}</th>", escape(table.columns[column].label));
        for (const auto* rows : {&table.rows, &own})
            for (const auto& row : *rows)
                append(out, "<td>{}</td>", number(row.values[column], table.decimals));
        out += "</tr>";
    }
    markup::close_table(out);
    out += "</details>";
}

void score_cell(double value,
                const stats::Interval& interval,
                const results::Metric& metric,
                std::string& out)
{
    append(out, "<td>{}<small>{}</small></td>", short_number(value, metric),
           short_interval(interval, metric));
}

/// Rows by dimension, of each encoder whose vectors were projected in one way, and of itself.
using Projected = std::map<std::string, std::map<std::size_t, std::size_t>>;

/// Rows by the way of projecting: "random", "pca".
std::map<std::string, Projected> projections_of(const Page& page)
{
    std::map<std::string, Projected> all;
    for (const bool is_projected : {true, false})
        for (std::size_t at = 0; at < page.comparison.rows.size(); ++at) {
            const compare::Row* row = row_of(page, at);
            if (row == nullptr || row->projection.starts_with('@') != is_projected ||
                row->is_variant())
                continue;
            // Rows that differ in the projection alone share this name.
            const std::size_t projected = row->projection.empty() ? 0 : row->projection.size() + 1;
            std::string base = row->encoder.substr(0, row->encoder.size() - projected);
            if (!row->variant.empty())
                base += " (" + row->variant + ")";
            const std::size_t dimension = page.comparison.dimensions[at];
            if (is_projected) // "@50 random"
                all[row->projection.substr(row->projection.find(' ') + 1)][base][dimension] = at;
            for (auto& [way, encoders] : all)
                if (const auto own = encoders.find(base); !is_projected && own != encoders.end())
                    own->second.try_emplace(dimension, at);
        }
    return all;
}

void slice_table(const compare::Slices& slices, std::size_t all_rows, std::string& out)
{
    append(out, "<details><summary>{}{}, by {}{}</summary>", escape(short_name(slices.task)),
           slices.has_data_warning ? "*" : "",
           escape(slices.by + (slices.by_class ? ": found of the class, %" : "")),
           slices.rows.size() == all_rows ? "" : ", of " + escape(listed(slices.rows)));
    std::vector<Head> heads{{"Encoder"}};
    for (std::size_t part = 0; part < slices.parts.size(); ++part)
        heads.push_back({fmt::format("{} (n = {})", slices.parts[part],
                                     markup::thousands(slices.items[part]))});
    open_table(out, "Slices", heads);
    for (std::size_t row = 0; row < slices.rows.size(); ++row) {
        append(out, "<tr><th scope=\"row\">{}</th>", markup::row_name(slices.rows[row]));
        for (const auto& score : slices.scores[row])
            score_cell(score.value, score.interval, slices.metric, out);
        out += "</tr>";
    }
    markup::close_table(out);
    out += "</details>";
}

} // namespace

void seeds(const Page& page, std::string& out)
{
    std::vector<const TaskComparison*> tasks;
    std::vector<Head> heads{{"Encoder"}};
    for (const TaskComparison& task : page.comparison.tasks)
        if (std::ranges::any_of(task.entries,
                                [](const auto& entry) { return entry.score.seeds > 1; })) {
            tasks.push_back(&task);
            heads.push_back({heading_of(task)});
        }
    if (tasks.empty())
        return;
    markup::open_section(out, "seeds", "Seeds",
                         "Standard deviation of a score over seeds of the classifier: its weights, "
                         "its minibatches, and the folds that follow them.");
    open_table(out, "Standard deviation over seeds", heads);
    for (std::size_t row = 0; row < page.comparison.rows.size(); ++row) {
        append(out, "<tr><th scope=\"row\">{}</th>", markup::row_name(page.comparison.rows[row]));
        for (const TaskComparison* task : tasks)
            if (const compare::Score& score = task->entries[row].score; score.seeds > 1)
                append(out, "<td>{}<small>{}</small></td>", number(score.sd, task->metric.digits),
                       seeds_text(score.seeds));
            else
                out += "<td class=\"missing\">–</td>";
        out += "</tr>";
    }
    markup::close_table(out);
    out += "</section>";
}

void worst_errors(const Page& page, std::string& out)
{
    if (page.errors.empty())
        return;
    markup::open_section(out, "errors", "Worst errors",
                         "The items of each task on which the encoder was most wrong.");
    for (const WorstErrors& errors : page.errors) {
        const bool pairs = std::ranges::any_of(
            errors.items, [](const auto& item) { return !item.second.empty(); });
        append(out, "<details><summary>{}, {}</summary>",
               escape(short_name(errors.task) + (errors.has_data_warning ? "*" : "")),
               escape(errors.encoder));
        std::vector<Head> heads{{"#"}, {pairs ? "First sentence" : "Sentence", true}};
        if (pairs)
            heads.push_back({"Second sentence", true});
        heads.insert(heads.end(), {{"gold"}, {"predicted"}});
        open_table(out, "Worst errors", heads);
        for (std::size_t i = 0; i < errors.items.size(); ++i) {
            const auto& item = errors.items[i];
            append(out, "<tr><th scope=\"row\">{}</th><td class=\"text\">{}</td>", i + 1,
                   escape(item.first));
            if (pairs)
                append(out, "<td class=\"text\">{}</td>", escape(item.second));
            append(out, "<td>{}</td><td>{}</td></tr>", escape(item.gold), escape(item.prediction));
        }
        markup::close_table(out);
        out += "</details>";
    }
    out += "</section>";
}

void published(const Page& page, std::string& out)
{
    std::string tables;
    for (const PublishedTable& table : published_tables())
        if (const auto own = comparable_rows(page, table); !own.empty())
            published_table(table, own, tables);
    if (tables.empty())
        return;
    markup::open_section(
        out, "published", "Published results",
        "Printed in papers, not computed here: other vectors, versions of the data "
        "and settings may stand behind them. Only tasks on the published data, by "
        "encoders that were not trained on it, stand beside them.");
    out += tables + "</section>";
}

void dimensions(const Page& page, std::string& out)
{
    const auto projections = projections_of(page);
    if (projections.empty())
        return;
    markup::open_section(out, "dimension", "Score over dimension",
                         "Encoders brought to the same dimensions before anything is learned from "
                         "their embeddings, with 95 % intervals.");
    std::vector<Head> heads{{"Encoder"}, {"Dim"}};
    for (const TaskComparison& task : page.comparison.tasks)
        heads.push_back({heading_of(task)});
    for (const auto& [way, encoders] : projections) {
        append(out, "<h3>{}</h3>", way == "pca" ? "PCA" : way + " projection");
        open_table(out, "Score over dimension, " + way, heads);
        for (const auto& [name, rows] : encoders)
            for (const auto& [dimension, row] : rows) {
                append(out, "<tr><th scope=\"row\">{}</th><td>{}</td>", markup::row_name(name),
                       dimension);
                for (const TaskComparison& task : page.comparison.tasks)
                    score_cell(task.entries[row].score.value, task.entries[row].score.interval,
                               task.metric, out);
                out += "</tr>";
            }
        markup::close_table(out);
    }
    out += "</section>";
}

void slices(const Page& page, std::string& out)
{
    if (page.slices.empty())
        return;
    markup::open_section(
        out, "slices", "Slices",
        "Scores on parts of the test sets, with 95 % intervals that are not adjusted for the "
        "number "
        "of parts. A correlation is lower where the gold scores of a part lie closer together: "
        "compare encoders within a part, not parts with each other.");
    for (const compare::Slices& one : page.slices)
        slice_table(one, page.comparison.rows.size(), out);
    out += "</section>";
}

} // namespace senteval::report::sections
