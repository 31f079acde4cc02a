// Tables in documents: Markdown and LaTeX.
#include "base/counted.hpp"
#include "report/formats.hpp"
#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace senteval::report {
namespace {

using compare::Comparison;
using compare::Entry;
using compare::TaskComparison;

/// The legend of a document: nothing where bold print says all.
std::string document_legend(const Comparison& comparison)
{
    std::string marks = legend(comparison);
    if (marks.starts_with("= "))
        marks.replace(0, 1, "Bold:");
    else if (marks.starts_with("▲ "))
        marks.replace(0, std::string_view("▲").size(), "Bold, ▲:");
    return marks;
}

GridStyle document_style(const Comparison& comparison, Print print)
{
    const bool full = print == Print::full;
    return {.exact = true,
            .marks = full,
            .intervals = full && comparison.tested,
            .deviations = full && !comparison.tested,
            .counts = false,
            .averages_first = false};
}

} // namespace

std::string to_markdown(const Comparison& comparison, Print print)
{
    std::string out = to_markdown(grid_of(comparison, document_style(comparison, print)).table);
    const auto add = [&](const std::vector<SummaryLine>& lines) {
        for (const SummaryLine& line : lines)
            out += fmt::format(
                "\n{}{}\n",
                line.label.empty() ? "" : fmt::format("*{}*: ", markdown_escaped(line.label)),
                markdown_escaped(line.text));
    };
    add(caution_lines(comparison));
    if (print == Print::plain)
        return out;
    if (const std::string marks = document_legend(comparison); !marks.empty())
        out += '\n' + markdown_escaped(marks) + '\n';
    add(answer_of(comparison));
    add(remarks_of(comparison));
    if (comparison.across)
        out += fmt::format("\n```\n{}```\n", across_to_terminal(comparison, 120));
    return out;
}

std::string to_latex(const Comparison& comparison, const std::string& name, Print print)
{
    constexpr std::size_t longest_caption = 300;
    LatexText text;
    std::vector<std::string> axes;
    for (const TaskComparison& task : comparison.tasks) {
        if (std::ranges::find(axes, task.metric.axis()) == axes.end())
            axes.push_back(task.metric.axis());
        std::size_t items = 0;
        for (const Entry& entry : task.entries)
            items = std::max(items, entry.score.items);
        text.comments.push_back(
            fmt::format("{}: {}{}", task.task, task.metric.name(),
                        items > 0 ? fmt::format(", {}", base::counted(items, "test item")) : ""));
    }
    if (const std::string seeds = seeds_of(comparison); !seeds.empty())
        text.comments.push_back(seeds);
    for (const SummaryLine& line : summary_of(comparison))
        text.comments.push_back(line.label + (line.label.empty() ? "" : ": ") + line.text);
    text.label = "tab:" + name;
    text.caption = fmt::format("Sentence encoders: {}.", fmt::join(axes, "; "));
    if (text.caption.size() > longest_caption)
        text.caption = "Sentence encoders; the metrics stand in the comments.";
    if (any_entry(comparison, [&](const TaskComparison& task, const Entry& entry) {
            return is_bold(comparison, task, entry) || entry.verdict == compare::Verdict::worse;
        })) {
        const std::string& baseline = comparison.options.baseline;
        std::string seeds = seeds_of(comparison);
        if (!seeds.empty() && any_entry(comparison, [](const auto&, const Entry& entry) {
                return entry.score.deterministic;
            }))
            seeds += ", one where the classifier is solved to its minimum";
        text.caption += fmt::format(
            " {} (paired t tests, {}, level 5 %{}).",
            baseline.empty() ? "Bold: the best, and what is not significantly worse"
            : print == Print::full
                ? fmt::format("▲ (bold), ▼: significantly better, worse than {}", baseline)
                : "Bold: significantly better than " + baseline,
            baseline.empty() ? "studentised range" : "Holm", seeds.empty() ? "" : "; " + seeds);
    }
    if (print == Print::full && any_entry(comparison, [](const auto&, const Entry& entry) {
            return !std::isnan(entry.score.interval.low);
        }))
        text.caption += " Brackets: 95 % intervals.";
    if (any_entry(comparison,
                  [](const auto&, const Entry& entry) { return !entry.data_warnings.empty(); }))
        text.caption += " *: not the published data.";
    if (print == Print::full && any_entry(comparison, [](const auto&, const Entry& entry) {
            return entry.has_value() && entry.verdict == compare::Verdict::unknown;
        }))
        text.caption += " ?: no verdict.";
    return to_latex(grid_of(comparison, document_style(comparison, print)).table, text);
}

} // namespace senteval::report
