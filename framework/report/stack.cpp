// The steps of a search: the table of `compare --stack`.
#include "compare/stack.hpp"
#include "base/byte_text.hpp"
#include "base/counted.hpp"
#include "base/terminal.hpp"
#include "report/formats.hpp"

#include <fmt/format.h>

#include <cmath>

namespace senteval::report {
namespace {

using compare::StackRow;
using compare::StackTask;

std::string number(double value)
{
    return std::isnan(value) ? "-" : fmt::format("{:.1f}", value);
}

std::string step_text(const StackTask& task, const StackRow& row)
{
    if (std::isnan(row.difference))
        return "";
    if (row.is_within)
        return fmt::format("within {:g} of {}", task.margin, row.over);
    return fmt::format("{:.1f} [{:.1f}, {:.1f}]", row.difference, row.interval.low,
                       row.interval.high);
}

/// Behind its first stage, a reranker and its depth.
std::string shown(const StackRow& row)
{
    const auto at = row.label.rfind(" > ");
    return row.depth == 0 || at == std::string::npos ? row.label : " " + row.label.substr(at);
}

std::string mark_text(const StackRow& row)
{
    return !row.is_best ? "" : row.is_cheaper ? "best, and cheaper" : "best";
}

std::string legend_of(const StackTask& task)
{
    if (!task.has_verdict)
        return fmt::format("There is no verdict: it takes {1} queries, and there are {0}.",
                           task.queries, compare::fewest_queries);
    return fmt::format("best: the best, or not significantly worse. Differences are to the first "
                       "stage, of chunks to whole documents, of a fusion to its nearest "
                       "part, of a smaller depth to the largest; their 95 % intervals and the "
                       "marks allow for {} comparisons over "
                       "{} queries.",
                       task.comparisons, task.queries);
}

} // namespace

std::string stacks_to_terminal(const std::vector<StackTask>& tasks, const TerminalStyle& style)
{
    std::string out;
    for (const StackTask& task : tasks) {
        TextTable table{{{task.task},
                         {task.metric},
                         {"over its parts"},
                         {"found in 100"},
                         {"ms a query"},
                         {""}}};
        for (const StackRow& row : task.rows)
            table.push_back({{shown(row)},
                             {number(row.value)},
                             {step_text(task, row)},
                             {number(row.found)},
                             {row.ms ? fmt::format("{:.3g}", *row.ms) : "-"},
                             {mark_text(row)}});
        out += (out.empty() ? "" : "\n") + to_terminal(table, style) + "\n";
        if (!std::isnan(task.missed))
            out += base::wrapped(
                       fmt::format("{:.1f} % of what is relevant is not among the first 100: "
                                   "no reranker finds it.",
                                   task.missed),
                       style.width, 0) +
                   "\n";
        for (const StackRow& row : task.rows)
            if (row.chunks > 0)
                out +=
                    base::wrapped(
                        fmt::format(
                            "{}: {} chunks, {:.1f} of a document{}.", row.label, row.chunks,
                            static_cast<double>(row.chunks) / static_cast<double>(row.documents),
                            row.bytes > 0 ? ", " + base::byte_text(static_cast<double>(row.bytes)) +
                                                " of vectors"
                                          : ""),
                        style.width, 0) +
                    "\n";
        out += base::wrapped(legend_of(task), style.width, 0) + "\n";
    }
    return out;
}

base::Json stacks_to_json(const std::vector<StackTask>& tasks)
{
    const auto or_null = [](double value) {
        return std::isnan(value) ? base::Json() : base::Json(value);
    };
    base::Json json = base::Json::array();
    for (const StackTask& task : tasks) {
        base::Json rows = base::Json::array();
        for (const StackRow& row : task.rows)
            rows.push_back({{"row", row.label},
                            {"depth", row.depth},
                            {"chunks", row.chunks},
                            {"bytes", row.bytes},
                            {"value", row.value},
                            {"found_in_100", or_null(row.found)},
                            {"ms_a_query", row.ms ? base::Json(*row.ms) : base::Json()},
                            {"over", row.over},
                            {"difference", or_null(row.difference)},
                            {"low", or_null(row.interval.low)},
                            {"high", or_null(row.interval.high)},
                            {"gain", row.is_gain},
                            {"within_margin", row.is_within},
                            {"best", row.is_best},
                            {"cheaper", row.is_cheaper}});
        json.push_back({{"task", task.task},
                        {"metric", task.metric},
                        {"queries", task.queries},
                        {"comparisons", task.comparisons},
                        {"verdict", task.has_verdict},
                        {"not_found_in_100", or_null(task.missed)},
                        {"rows", std::move(rows)}});
    }
    return json;
}

} // namespace senteval::report
