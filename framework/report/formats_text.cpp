// What a terminal shows.
#include "base/counted.hpp"
#include "base/terminal.hpp"
#include "report/formats.hpp"
#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace senteval::report {
namespace {

using compare::Comparison;
using compare::Entry;
using compare::TaskComparison;
using compare::Verdict;

std::string paragraph(std::string_view text, std::size_t width, std::size_t indent)
{
    return base::wrapped(text, width, indent, base::LongWords::broken) + '\n';
}

TerminalStyle in_blocks(TerminalStyle style)
{
    if (!style.folds)
        style.width = 120; // of tables that no terminal shows
    style.folds = true;
    return style;
}

/// Labels on one line each, whatever they contain.
Comparison on_lines(Comparison comparison)
{
    for (std::string& row : comparison.rows)
        row = one_line(std::move(row));
    comparison.options.baseline = one_line(std::move(comparison.options.baseline));
    return comparison;
}

/// "6 encoders x 10 tasks, 5 seeds (SICK-E: one seed)"
std::string title(const Comparison& comparison)
{
    std::string text = fmt::format("{} x {}", base::counted(comparison.rows.size(), "encoder"),
                                   base::counted(comparison.tasks.size(), "task"));
    if (const std::string seeds = seeds_of(comparison); !seeds.empty())
        text += ", " + seeds;
    if (comparison.options.items_only)
        text += ", about these trained classifiers";
    return text;
}

/// The legend of a table; lines break between its parts.
std::string folded_legend(const Comparison& comparison, std::size_t width)
{
    constexpr std::string_view gap = "   ";
    std::string out;
    std::size_t used = 0;
    for (const std::string& part : table_legend(comparison)) {
        const std::size_t own = base::display_width(part);
        const bool fits = used > 0 && used + gap.size() + own <= width;
        out += used == 0 ? "" : fits ? std::string(gap) : "\n";
        out += base::wrapped(part, width, 0);
        used = fits ? used + gap.size() + own : own;
    }
    return out.empty() ? out : out + '\n';
}

std::string lines_text(const std::vector<SummaryLine>& lines, std::size_t width)
{
    constexpr std::size_t widest_label = 24;
    std::size_t label = 0;
    for (const SummaryLine& line : lines)
        if (const std::size_t own = base::display_width(line.label); own <= widest_label)
            label = std::max(label, own);
    const std::size_t indent = std::min(label + 2, width / 3);
    std::string out;
    std::string last;
    for (const SummaryLine& line : lines) {
        if (line.label.empty())
            out += paragraph(line.text, width, 0);
        else if (line.label == last) // as of several notes
            out += std::string(indent, ' ') + paragraph(line.text, width, indent);
        else if (base::display_width(line.label) + 2 <= indent)
            out += base::padded(line.label, indent) + paragraph(line.text, width, indent);
        else
            out += paragraph(line.label, width, 0) + std::string(indent, ' ') +
                   paragraph(line.text, width, indent);
        last = line.label;
    }
    return out;
}

/// "accuracy, %: MR, CR; Pearson's r: STS14"
std::string metrics_text(const Comparison& comparison)
{
    std::map<std::string, std::vector<std::string>> tasks;
    for (const TaskComparison& task : comparison.tasks)
        tasks[task.metric.axis()].push_back(short_name(task.task));
    std::vector<std::string> parts;
    for (const auto& [axis, names] : tasks)
        parts.push_back(fmt::format("{}: {}", axis, fmt::join(names, ", ")));
    return fmt::format("{}", fmt::join(parts, "; "));
}

/// The row that differences of the task are to.
std::string reference_name(const Comparison& comparison, const TaskComparison& task)
{
    return task.compared_with ? comparison.rows[*task.compared_with] : "the best";
}

/// Rows with a value, from the best to the worst; those without a verdict follow.
std::vector<std::size_t> ranked(const TaskComparison& task)
{
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < task.entries.size(); ++row)
        if (task.entries[row].has_value())
            order.push_back(row);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        const Entry& first = task.entries[a];
        const Entry& second = task.entries[b];
        const bool open = first.verdict == Verdict::unknown;
        if (open != (second.verdict == Verdict::unknown))
            return !open;
        return task.metric.is_better(first.score.value, second.score.value);
    });
    return order;
}

/// The heading of the rows without a verdict.
std::string open_heading(const compare::Difference& difference)
{
    return difference.open == compare::Open::few_seeds
               ? "items only, no verdict:"
               : fmt::format("no verdict, {}:", reason_for(difference.open));
}

std::vector<TextCell>
detail_row(const Comparison& comparison, const TaskComparison& task, std::size_t row, bool letters)
{
    const Entry& entry = task.entries[row];
    const results::Metric& metric = task.metric;
    const compare::Difference& difference = entry.difference;
    const std::string mark = mark_of(comparison, task, entry);
    const bool bold = is_bold(comparison, task, entry);
    const bool has_difference =
        entry.verdict != Verdict::reference && !std::isnan(difference.value);
    std::string p = entry.verdict == Verdict::same ? "same" : p_text(difference.p_adjusted);
    if (difference.p_equivalent <= compare::level)
        p += " ≈";
    std::vector<TextCell> cells = {
        {fmt::format("{} {}", mark.empty() ? " " : mark, comparison.rows[row]), bold},
        {metric.text(entry.score.value), bold},
        {entry.score.seeds > 1 ? metric.text(entry.score.sd) : ""},
        {full_interval(entry.score.interval, metric)},
        {has_difference ? signed_full(difference.value, metric) : ""},
        {has_difference ? full_interval(difference.interval, metric) : ""},
        {has_difference ? p : ""}};
    if (letters)
        cells.push_back({entry.letters});
    return cells;
}

/// The table without the columns that are empty in all rows.
TextTable without_empty_columns(const TextTable& table)
{
    TextTable kept(table.size());
    for (std::size_t c = 0; c < table.front().size(); ++c) {
        const bool used = std::any_of(table.begin() + 1, table.end(),
                                      [&](const auto& row) { return !row[c].text.empty(); });
        for (std::size_t r = 0; used && r < table.size(); ++r)
            kept[r].push_back(table[r][c]);
    }
    return kept;
}

std::string
detail_block(const Comparison& comparison, const TaskComparison& task, const TerminalStyle& style)
{
    std::size_t items = 0;
    for (const Entry& entry : task.entries)
        items = std::max(items, entry.score.items);
    std::string head = fmt::format("{}  {}", heading_of(task), task.metric.path);
    if (items > 0)
        head += "   " + base::counted(items, "item");
    if (!std::isnan(task.detectable))
        head += fmt::format("   detectable difference (power 80 %) {}",
                            task.metric.text(task.detectable));
    const bool letters = comparison.options.all_pairs;
    TextTable table = {{{""},
                        {"value"},
                        {"sd"},
                        {"95 % of value"},
                        {"to " + reference_name(comparison, task)},
                        {"95 % of difference"},
                        {"p"}}};
    if (letters)
        table.front().push_back({"groups"});
    std::string heading;
    for (const std::size_t row : ranked(task)) {
        const Entry& entry = task.entries[row];
        if (entry.verdict == Verdict::unknown && entry.difference.open != compare::Open::alone)
            if (const std::string own = open_heading(entry.difference); own != heading) {
                heading = own;
                table.emplace_back(table.front().size()).front().text = heading;
            }
        table.push_back(detail_row(comparison, task, row, letters));
    }
    return paragraph(head, style.width, 2) + to_terminal(without_empty_columns(table), style);
}

std::string detail_legend(const Comparison& comparison)
{
    std::string text = "value: mean over seeds, sd: their standard deviation.";
    if (std::ranges::any_of(comparison.tasks,
                            [](const TaskComparison& task) { return task.reference.has_value(); }))
        text += fmt::format(" Intervals of differences and p are adjusted for all {} of a task.",
                            comparison.options.baseline.empty() ? "pairs of rows"
                                                                : "comparisons with the baseline");
    return text;
}

} // namespace

std::string to_terminal(const Comparison& given, const TerminalStyle& given_style)
{
    const Comparison comparison = on_lines(given);
    const TerminalStyle style = in_blocks(given_style);
    const Grid grid = grid_of(comparison, {});
    std::string out = paragraph(title(comparison), style.width, 0);
    if (const auto answer = answer_of(comparison); !answer.empty())
        out += '\n' + lines_text(answer, style.width) + '\n';
    out += to_terminal(grid.table, style, grid.groups);
    out += paragraph(metrics_text(comparison), style.width, 0);
    out += folded_legend(comparison, style.width);
    std::vector<SummaryLine> lines = caution_lines(comparison);
    std::ranges::move(remarks_of(comparison), std::back_inserter(lines));
    if (!lines.empty())
        out += '\n' + lines_text(lines, style.width);
    if (comparison.tested && comparison.rows.size() > 1 && !comparison.across)
        out += paragraph(
            "more: --details, --across-tasks, --baseline LABEL, --table sts, --format csv",
            style.width, 0);
    return comparison.across ? out + '\n' + across_to_terminal(comparison, style.width) : out;
}

std::string notes_to_terminal(const Comparison& comparison, const TerminalStyle& style)
{
    std::vector<SummaryLine> lines = caution_lines(comparison);
    std::ranges::move(remarks_of(comparison, comparison.notes.size()), std::back_inserter(lines));
    return lines_text(lines, style.width);
}

std::string details_to_terminal(const Comparison& given, const TerminalStyle& given_style)
{
    const Comparison comparison = on_lines(given);
    const TerminalStyle style = in_blocks(given_style);
    std::string out;
    for (const TaskComparison& task : comparison.tasks)
        out += detail_block(comparison, task, style) + '\n';
    return out + notes_to_terminal(comparison, style) +
           paragraph(detail_legend(comparison), style.width, 0);
}

std::string values_to_terminal(const Comparison& given, const TerminalStyle& style)
{
    const Comparison comparison = on_lines(given);
    const Grid grid = grid_of(comparison, {.exact = true, .deviations = true, .counts = false});
    std::string out = to_terminal(grid.table, style, grid.groups);
    std::vector<SummaryLine> lines = caution_lines(comparison);
    lines.push_back({"metrics", metrics_text(comparison)});
    if (std::ranges::any_of(comparison.tasks, [](const TaskComparison& task) {
            return std::ranges::any_of(task.entries,
                                       [](const Entry& entry) { return entry.score.seeds > 1; });
        }))
        lines.push_back({"±", "standard deviation over " + seeds_of(comparison)});
    if (const std::string marks = legend(comparison); !marks.empty())
        lines.push_back({"marks", marks});
    std::ranges::move(remarks_of(comparison, comparison.notes.size()), std::back_inserter(lines));
    const std::size_t unlimited = std::string::npos / 2;
    return out + '\n' + lines_text(lines, style.folds ? style.width : unlimited);
}

std::string across_to_terminal(const Comparison& comparison, std::size_t width)
{
    const compare::AcrossTasks& across = *comparison.across;
    if (across.rows.empty())
        return paragraph("Over tasks: no two rows share two tasks.", width, 2);
    std::string out = paragraph(fmt::format("Mean ranks over {} tasks ({})", across.tasks.size(),
                                            fmt::join(across.tasks, ", ")),
                                width, 2);
    std::size_t widest = 0;
    for (const std::size_t row : across.rows)
        widest = std::max(widest, base::display_width(comparison.rows[row]));
    for (std::size_t at = 0; at < across.rows.size(); ++at) {
        const auto [low, high] = across.intervals[at];
        std::string line =
            fmt::format("  {:5.2f} [{:5.2f}, {:5.2f}]  {}", across.mean_ranks[at], low, high,
                        base::padded(comparison.rows[across.rows[at]], widest));
        for (const auto& [first, last] : across.groups)
            line += at >= first && at <= last ? " |" : "  ";
        out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    std::string tests = "A bar joins rows that are not significantly different: Wilcoxon's "
                        "signed-rank test over tasks, by Holm over all pairs";
    if (across.rows.size() > 2)
        tests += fmt::format(", where Friedman's finds any difference (p {})",
                             p_text(across.friedman.p_value));
    out += paragraph(tests + ". In brackets the 95 % interval over tasks drawn anew.", width, 2);
    for (const compare::AcrossPair& pair : across.pairs)
        if (comparison.options.all_pairs || pair.first == across.rows.front())
            out += "  " +
                   paragraph(fmt::format("{} against {}: better on {} of {} tasks, p {}",
                                         comparison.rows[pair.first], comparison.rows[pair.second],
                                         pair.better_on, across.tasks.size(), p_text(pair.p_value)),
                             width, 4);
    if (!across.left_out.empty())
        out += "  " + paragraph("left out: " + fmt::format("{}", fmt::join(across.left_out, ", ")),
                                width, 4);
    return out;
}

std::string slices_to_terminal(const std::vector<compare::Slices>& slices,
                               const TerminalStyle& given_style)
{
    const TerminalStyle style = in_blocks(given_style);
    std::string out;
    for (const compare::Slices& block : slices) {
        out += paragraph(fmt::format("{}{} by {}   {}", short_name(block.task),
                                     block.has_data_warning ? "*" : "", block.by,
                                     block.by_class ? "share of the class that was found, %"
                                                    : block.metric.axis()),
                         style.width, 2);
        TextTable table = {{{""}}};
        std::vector<TextCell> items = {{"items"}};
        for (std::size_t part = 0; part < block.parts.size(); ++part) {
            table.front().push_back({block.parts[part]});
            items.push_back({std::to_string(block.items[part])});
        }
        for (std::size_t row = 0; row < block.rows.size(); ++row) {
            table.push_back({{one_line(block.rows[row])}});
            for (const compare::SliceScore& score : block.scores[row]) {
                const std::string interval = short_interval(score.interval, block.metric);
                table.back().push_back({short_number(score.value, block.metric) +
                                        (interval.empty() ? "" : " " + interval)});
            }
        }
        table.push_back(std::move(items));
        out += to_terminal(table, style) + '\n';
    }
    return out;
}

} // namespace senteval::report
