#include "compare/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace senteval::compare {
namespace {

using report::TextCell;
using report::TextTable;

std::string p_text(double p)
{
    if (std::isnan(p))
        return "";
    return p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p);
}

std::string interval_text(const stats::Interval& interval, const task::Metric& metric)
{
    if (std::isnan(interval.low) || std::isnan(interval.high))
        return "";
    return fmt::format("[{}, {}]", metric.text(interval.low), metric.text(interval.high));
}

std::string signed_number(double value, const task::Metric& metric)
{
    if (std::isnan(value))
        return "";
    return (value < 0 ? "" : "+") + metric.text(value);
}

/// "72.45", "72.65 ±0.25" over seeds, "72.45*" on doubtful data, "failed", "-".
std::string value_text(const Entry& entry, const task::Metric& metric)
{
    if (std::isnan(entry.score.value))
        return entry.failed ? "failed" : "-";
    std::string text = metric.text(entry.score.value);
    if (entry.score.seeds > 1)
        text += " ±" + metric.text(entry.score.sd);
    return entry.doubts.empty() ? text : text + "*";
}

/// Before a row: how it stands to the reference.
char mark(Verdict verdict)
{
    switch (verdict) {
    case Verdict::reference:
    case Verdict::tied:
        return '=';
    case Verdict::better:
        return '+';
    case Verdict::not_comparable:
        return '?';
    case Verdict::worse:
    case Verdict::missing:
        break;
    }
    return ' ';
}

/// Whether a row is among the best: what bold print says where there is more than one row.
bool stands_out(const Comparison& comparison, const Entry& entry)
{
    return comparison.rows.size() > 1 &&
           (entry.is_best || (comparison.baseline.empty() && (entry.verdict == Verdict::tied)));
}

std::string average_name(const Comparison& comparison, const Average& average)
{
    return comparison.averages.size() == 1 ? "average" : "average " + average.unit;
}

std::string average_text(const Average& average, std::size_t row)
{
    const double value = average.values[row];
    return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, average.digits);
}

/// Rows by tasks and averages; `cell_of` says what stands in a task's cell.
template <typename CellOf>
TextTable grid_of(const Comparison& comparison, CellOf cell_of)
{
    TextTable table(comparison.rows.size() + 1);
    table.front().push_back({"encoder"});
    for (std::size_t row = 0; row < comparison.rows.size(); ++row)
        table[row + 1].push_back({comparison.rows[row]});
    for (const TaskComparison& task : comparison.tasks) {
        table.front().push_back({task.task});
        for (std::size_t row = 0; row < comparison.rows.size(); ++row)
            table[row + 1].push_back(cell_of(task.entries[row], task.metric));
    }
    for (const Average& average : comparison.averages) {
        table.front().push_back({average_name(comparison, average)});
        for (std::size_t row = 0; row < comparison.rows.size(); ++row)
            table[row + 1].push_back({average_text(average, row)});
    }
    return table;
}

/// What averages are of, and what else a reader should know; a line each.
std::vector<std::string> notes_of(const Comparison& comparison)
{
    std::vector<std::string> notes;
    for (const Average& average : comparison.averages)
        notes.push_back(fmt::format("{}: of {}", average_name(comparison, average),
                                    fmt::join(average.tasks, ", ")));
    notes.insert(notes.end(), comparison.warnings.begin(), comparison.warnings.end());
    return notes;
}

/// How to read the marks that there are: sentences.
std::string legend(const Comparison& comparison)
{
    std::vector<std::string> sentences;
    const auto any = [&](auto is_so) {
        return std::any_of(comparison.tasks.begin(), comparison.tasks.end(), [&](const auto& task) {
            return std::any_of(task.entries.begin(), task.entries.end(), is_so);
        });
    };
    if (any([](const Entry& entry) { return entry.score.seeds > 1; }))
        sentences.emplace_back("± is the standard deviation over seeds.");
    if (comparison.tested)
        sentences.push_back(fmt::format(
            "Intervals in brackets are 95 %: Wilson for accuracies, BCa bootstrap for the rest. "
            "Differences are to {}, with Holm-adjusted p-values over the whole table.",
            comparison.baseline.empty() ? "the best of the task"
                                        : "'" + comparison.baseline + "'"));
    if (any([](const Entry& entry) { return entry.verdict == Verdict::not_comparable; }))
        sentences.emplace_back("? cannot be compared.");
    return fmt::format("{}", fmt::join(sentences, " "));
}

std::string meaning_of_marks(const Comparison& comparison)
{
    return comparison.baseline.empty()
               ? "= marks the best and what cannot be told from it at level 5 %."
               : "= marks the baseline and what cannot be told from it at level 5 %, + what is "
                 "better.";
}

std::string terminal_line(const Entry& entry, const std::string& label, const task::Metric& metric)
{
    std::string line = fmt::format("  {} {}  {} {}", mark(entry.verdict), label,
                                   report::padded(value_text(entry, metric), 14),
                                   report::padded(interval_text(entry.score.interval, metric), 18));
    const Difference& difference = entry.difference;
    if (entry.verdict == Verdict::not_comparable)
        line += fmt::format("  {:>8} not comparable: {}", signed_number(difference.value, metric),
                            difference.not_comparable);
    else if (!std::isnan(difference.value))
        line += fmt::format("  {:>8} {}  p {} ({})", signed_number(difference.value, metric),
                            report::padded(interval_text(difference.interval, metric), 18),
                            p_text(entry.p_adjusted), difference.test);
    while (line.ends_with(' '))
        line.pop_back();
    return line + '\n';
}

/// Rows of a task from the best value to the worst; rows without a value are left out.
std::vector<std::size_t> ranked(const TaskComparison& task)
{
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < task.entries.size(); ++row)
        if (!std::isnan(task.entries[row].score.value))
            order.push_back(row);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return task.metric.is_better(task.entries[a].score.value, task.entries[b].score.value);
    });
    return order;
}

/// Prose for a terminal: each note, and how to read the table.
std::string prose_of(const std::vector<std::string>& notes,
                     const std::string& legend,
                     const report::TerminalStyle& style)
{
    std::string out;
    for (const std::string& note : notes)
        out += "Note: " + report::wrapped(note, style.width, 6) + '\n';
    return legend.empty() ? out : out + report::wrapped(legend, style.width, 0) + '\n';
}

/// "72.45 [70.97, 73.88]", with "?" where it cannot be compared.
TextCell full_cell(const Comparison& comparison, const Entry& entry, const task::Metric& metric)
{
    std::string small = interval_text(entry.score.interval, metric);
    if (entry.verdict == Verdict::not_comparable)
        small += small.empty() ? "?" : " ?";
    return {value_text(entry, metric), stands_out(comparison, entry), small};
}

std::string csv_number(double value)
{
    return std::isnan(value) ? "" : fmt::format("{}", value);
}

} // namespace

std::string to_terminal_table(const Comparison& comparison, const report::TerminalStyle& style)
{
    const auto cell_of = [&](const Entry& entry, const task::Metric& metric) {
        return TextCell{value_text(entry, metric), stands_out(comparison, entry)};
    };
    std::string out = report::to_terminal(grid_of(comparison, cell_of), style);
    return out + prose_of(notes_of(comparison), legend(comparison), style);
}

std::string to_terminal(const Comparison& comparison, const report::TerminalStyle& style)
{
    std::size_t width = 0;
    for (const std::string& row : comparison.rows)
        width = std::max(width, report::display_width(row));
    std::string out;
    for (const TaskComparison& task : comparison.tasks) {
        out += fmt::format("{}  {}", task.task, task.metric.path);
        if (!std::isnan(task.detectable))
            out += fmt::format("   (a difference of {} would be detected with power 80 %)",
                               task.metric.text(task.detectable));
        out += '\n';
        for (const std::size_t row : ranked(task)) {
            const Entry& entry = task.entries[row];
            const std::string line =
                terminal_line(entry, report::padded(comparison.rows[row], width), task.metric);
            out += style.bold && entry.is_best ? "\x1b[1m" + line + "\x1b[0m" : line;
        }
        out += '\n';
    }
    for (const Average& average : comparison.averages) {
        out += fmt::format("{}  of {}\n", average_name(comparison, average),
                           fmt::join(average.tasks, ", "));
        for (std::size_t row = 0; row < comparison.rows.size(); ++row)
            out += fmt::format("    {}  {}\n", report::padded(comparison.rows[row], width),
                               average_text(average, row));
        out += '\n';
    }
    return out + prose_of(comparison.warnings,
                          legend(comparison) + ' ' + meaning_of_marks(comparison), style);
}

std::string to_markdown(const Comparison& comparison)
{
    std::string out = report::to_markdown(
        grid_of(comparison, [&](const Entry& entry, const task::Metric& metric) {
            return full_cell(comparison, entry, metric);
        }));
    for (const std::string& note : notes_of(comparison))
        out += fmt::format("\n{}\n", note);
    if (const std::string text = legend(comparison); !text.empty())
        out += "\nBold: the best" +
               std::string(comparison.tested && comparison.baseline.empty()
                               ? ", and what cannot be told from it"
                               : "") +
               ". " + text + '\n';
    return out;
}

std::string to_latex(const Comparison& comparison)
{
    bool daggers = false;
    const auto cell_of = [&](const Entry& entry, const task::Metric& metric) {
        TextCell cell = full_cell(comparison, entry, metric);
        if (!comparison.baseline.empty() &&
            (entry.verdict == Verdict::better || entry.verdict == Verdict::worse)) {
            cell.small += cell.small.empty() ? "†" : " †";
            daggers = true;
        }
        return cell;
    };
    const TextTable table = grid_of(comparison, cell_of);
    std::string caption;
    for (const TaskComparison& task : comparison.tasks)
        caption +=
            fmt::format("{}{}: {}", caption.empty() ? "" : "; ", task.task, task.metric.axis());
    caption += ". Bold: the best";
    if (comparison.tested && comparison.baseline.empty())
        caption += ", and what cannot be told from it";
    caption += ". " + legend(comparison);
    if (daggers)
        caption += " † differs from the baseline at level 5 %.";
    for (const std::string& note : notes_of(comparison))
        caption += ' ' + note + (note.ends_with('.') ? "" : ".");
    return report::to_latex(table, caption);
}

std::string to_csv(const Comparison& comparison)
{
    std::string out = "encoder,task,metric,value,sd,seeds,low,high,items,difference,"
                      "difference_low,difference_high,p,p_holm,test,best,verdict,detectable,"
                      "failed,doubts\n";
    for (std::size_t row = 0; row < comparison.rows.size(); ++row)
        for (const TaskComparison& task : comparison.tasks) {
            const Entry& entry = task.entries[row];
            const Score& score = entry.score;
            const Difference& difference = entry.difference;
            if (score.seeds == 0 && !entry.failed)
                continue;
            out += fmt::format(
                "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:d},{},{},{:d},{}\n",
                report::csv_field(comparison.rows[row]), report::csv_field(task.task),
                report::csv_field(task.metric.path), csv_number(score.value), csv_number(score.sd),
                score.seeds, csv_number(score.interval.low), csv_number(score.interval.high),
                score.items, csv_number(difference.value), csv_number(difference.interval.low),
                csv_number(difference.interval.high), csv_number(difference.p_value),
                csv_number(entry.p_adjusted), difference.test, entry.is_best,
                name_of(entry.verdict), csv_number(difference.detectable), entry.failed,
                report::csv_field(fmt::format("{}", fmt::join(entry.doubts, "; "))));
        }
    return out;
}

core::Json to_json(const Comparison& comparison)
{
    core::Json cells = core::Json::array();
    for (std::size_t row = 0; row < comparison.rows.size(); ++row)
        for (const TaskComparison& task : comparison.tasks) {
            const Entry& entry = task.entries[row];
            const Difference& difference = entry.difference;
            if (std::isnan(entry.score.value))
                continue;
            cells.push_back(
                {{"encoder", comparison.rows[row]},
                 {"task", task.task},
                 {"metric", task.metric.path},
                 {"higher_is_better", task.metric.higher_is_better},
                 {"value", entry.score.value},
                 {"interval", {entry.score.interval.low, entry.score.interval.high}},
                 {"items", entry.score.items},
                 {"seeds", entry.score.seeds},
                 {"sd", entry.score.sd},
                 {"difference", difference.value},
                 {"difference_interval", {difference.interval.low, difference.interval.high}},
                 {"p", difference.p_value},
                 {"p_holm", entry.p_adjusted},
                 {"test", difference.test},
                 {"detectable", difference.detectable},
                 {"best", entry.is_best},
                 {"verdict", name_of(entry.verdict)},
                 {"not_comparable", difference.not_comparable},
                 {"doubts", entry.doubts}});
        }
    core::Json averages = core::Json::array();
    for (const Average& average : comparison.averages)
        averages.push_back(
            {{"unit", average.unit}, {"tasks", average.tasks}, {"values", average.values}});
    return {{"baseline", comparison.baseline},
            {"encoders", comparison.rows},
            {"cells", cells},
            {"averages", averages},
            {"warnings", comparison.warnings}};
}

} // namespace senteval::compare
