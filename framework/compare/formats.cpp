#include "compare/formats.hpp"

#include "compare/across_text.hpp"
#include "compare/formats_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace senteval::compare {
namespace {

using report::TextCell;
using report::TextTable;

/// Whether a row is among the best: what bold print says where there is more than one row.
bool stands_out(const Comparison& comparison, const Entry& entry)
{
    if (!comparison.baseline.empty())
        return entry.verdict == Verdict::better;
    return comparison.rows.size() > 1 && (comparison.tested ? entry.among_best : entry.is_best);
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

/// What the comparisons speak of.
std::vector<std::string> claims(const Comparison& comparison)
{
    Sayings claims;
    for (const TaskComparison& task : comparison.tasks)
        if (const std::string claim = claim_of(task); !claim.empty())
            claims.add(claim, task.task);
    return claims.texts([](const std::string& claim, const std::string& tasks) {
        return fmt::format("What is claimed ({}): {}.", tasks, claim);
    });
}

/// What would be detected.
std::vector<std::string> powers(const Comparison& comparison)
{
    Sayings powers;
    for (const TaskComparison& task : comparison.tasks)
        if (const std::string power = detectable_in_words(task); !power.empty())
            powers.add(power, task.task);
    return powers.texts([](const std::string& power, const std::string& tasks) {
        return fmt::format("On {} {}.", tasks, power);
    });
}

/// What averages are of, and what else a reader should know; a line each.
std::vector<std::string> notes_of(const Comparison& comparison)
{
    std::vector<std::string> notes;
    for (const Average& average : comparison.averages)
        notes.push_back(fmt::format("{}: of {}", average_name(comparison, average),
                                    fmt::join(average.tasks, ", ")));
    for (const auto& more : {claims(comparison), powers(comparison), why_no_verdicts(comparison)})
        notes.insert(notes.end(), more.begin(), more.end());
    notes.insert(notes.end(), comparison.warnings.begin(), comparison.warnings.end());
    return notes;
}

/// "72.45 [70.97, 73.88]", with "?" where it cannot be compared.
TextCell full_cell(const Comparison& comparison, const Entry& entry, const task::Metric& metric)
{
    std::string small = interval_text(entry.score.interval, metric);
    const auto add = [&](std::string_view sign) {
        small += fmt::format("{}{}", small.empty() ? "" : " ", sign);
    };
    // How it stands to the best is said by bold print.
    if (const char mark = mark_of(comparison, entry);
        mark == '?' || (mark != ' ' && !comparison.baseline.empty()))
        add(std::string(1, mark));
    if (entry.p_equivalent <= level)
        add("≈");
    if (!entry.letters.empty())
        add(entry.letters);
    return {value_text(entry, metric), stands_out(comparison, entry), small};
}

} // namespace

char mark_of(const Comparison& comparison, const Entry& entry)
{
    const char alike = comparison.baseline.empty() ? '=' : '~';
    switch (entry.verdict) {
    case Verdict::reference:
        return is_open(comparison, entry)                   ? '?'
               : entry.alone && comparison.baseline.empty() ? ' '
                                                            : alike;
    case Verdict::tied:
        return alike;
    case Verdict::better:
        return '+';
    case Verdict::worse:
        return comparison.baseline.empty() ? ' ' : '-';
    case Verdict::undecided:
    case Verdict::not_comparable:
        return '?';
    case Verdict::missing:
        break;
    }
    return ' ';
}

std::string meaning_of_marks(const Comparison& comparison)
{
    return comparison.baseline.empty()
               ? "= marks the best and what cannot be told from it."
               : "~ marks the baseline and what cannot be told from it, + what is better, - worse.";
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

std::string value_text(const Entry& entry, const task::Metric& metric)
{
    if (std::isnan(entry.score.value))
        return entry.failed ? "failed" : "-";
    std::string text = metric.text(entry.score.value);
    if (entry.score.seeds > 1)
        text += " ±" + metric.text(entry.score.sd);
    text += entry.doubts.empty() ? "" : "*";
    text += entry.trained_on.empty() ? "" : "†";
    return entry.failed ? text + "!" : text;
}

std::string average_name(const Comparison& comparison, const Average& average)
{
    return comparison.averages.size() == 1 ? "average" : "average " + average.unit;
}

std::string average_text(const Average& average, std::size_t row)
{
    const double value = average.values[row];
    return std::isnan(value)
               ? "-"
               : fmt::format("{:.{}f}{}", value, average.digits, average.doubtful[row] ? "*" : "");
}

std::string legend(const Comparison& comparison, bool with_differences)
{
    std::vector<std::string> sentences;
    const auto any = [&](auto is_so) {
        return std::any_of(comparison.tasks.begin(), comparison.tasks.end(), [&](const auto& task) {
            return std::any_of(task.entries.begin(), task.entries.end(), is_so);
        });
    };
    if (any([](const Entry& entry) { return entry.score.seeds > 1; }))
        sentences.emplace_back("± is the standard deviation over seeds.");
    if (any([](const Entry& entry) { return entry.failed && !std::isnan(entry.score.value); }))
        sentences.emplace_back("! some of it failed, or was not stored.");
    if (comparison.tested)
        sentences.push_back(fmt::format(
            "{} {}, with p-values{} {}.",
            with_differences ? "Intervals in brackets are 95 %. Differences are to"
                             : "Intervals in brackets are 95 %, of the scores alone. What is told "
                               "apart is by paired tests against",
            comparison.baseline.empty() ? "the best of the task" : "'" + comparison.baseline + "'",
            with_differences ? " and intervals" : "", comparison.family));
    if (any([](const Entry& entry) { return entry.verdict == Verdict::undecided; }))
        sentences.emplace_back("? no verdict, or cannot be compared.");
    else if (any([](const Entry& entry) { return entry.verdict == Verdict::not_comparable; }))
        sentences.emplace_back("? cannot be compared.");
    if (any([](const Entry& entry) { return !std::isnan(entry.p_equivalent); }))
        sentences.push_back(fmt::format(
            "{} by less than {:g} {} (two one-sided tests at 5 %: by intervals of 90 %).",
            any([](const Entry& entry) { return entry.p_equivalent <= level; })
                ? "≈ differs"
                : "None is shown to differ",
            comparison.margin, comparison.margin == 1 ? "point" : "points"));
    if (any([](const Entry& entry) { return !entry.letters.empty(); }))
        sentences.emplace_back("Rows of a task that share a letter cannot be told apart.");
    return fmt::format("{}", fmt::join(sentences, " "));
}

std::vector<std::string> open_questions(const TaskComparison& task)
{
    std::vector<std::string> reasons;
    for (const Entry& entry : task.entries)
        if (entry.verdict == Verdict::undecided)
            add_distinct(std::vector{entry.difference.undecided}, reasons);
    return reasons;
}

namespace {

/// Whether the row has no verdict for that reason; whom rows are compared with that all have none has it as they do.
bool is_open_for(const Comparison& comparison,
                 const TaskComparison& task,
                 std::size_t row,
                 const std::string& reason)
{
    const auto is_open_row = [&](std::size_t other) {
        return task.entries[other].verdict == Verdict::undecided &&
               task.entries[other].difference.undecided == reason;
    };
    if (is_open_row(row))
        return true;
    if (!is_open(comparison, task.entries[row]))
        return false;
    for (std::size_t other = 0; other < task.entries.size(); ++other)
        if (is_open_row(other) && task.entries[other].against == row)
            return true;
    return false;
}

} // namespace

Sayings open_questions(const Comparison& comparison)
{
    Sayings questions;
    for (const TaskComparison& task : comparison.tasks)
        for (const std::string& reason : open_questions(task)) {
            std::vector<std::string> rows;
            for (std::size_t row = 0; row < task.entries.size(); ++row)
                if (is_open_for(comparison, task, row, reason))
                    rows.push_back(comparison.rows[row]);
            const std::string where =
                is_decided(task) ? fmt::format("{} ({})", marked_name(task), fmt::join(rows, ", "))
                                 : marked_name(task);
            questions.add(reason, where);
        }
    return questions;
}

std::vector<std::string> why_no_verdicts(const Comparison& comparison)
{
    std::vector<std::string> texts =
        open_questions(comparison).texts([](const std::string& reason, const std::string& where) {
            return fmt::format("No verdict on {}: {}.", where, reason);
        });
    Sayings apart;
    for (const TaskComparison& task : comparison.tasks)
        for (std::size_t row = 0; row < task.entries.size(); ++row)
            if (const Entry& entry = task.entries[row]; entry.verdict == Verdict::not_comparable)
                apart.add(entry.difference.not_comparable,
                          fmt::format("{} ({})", marked_name(task), comparison.rows[row]));
    for (const std::string& text :
         apart.texts([](const std::string&reason, const std::string&where) {
             return fmt::format("Cannot be compared on {}: {}.", where, reason);
         }))
        texts.push_back(text);
    return texts;
}

std::string
why_no_verdict(const Comparison& comparison, const TaskComparison& task, const Entry& entry)
{
    if (!is_open(comparison, entry))
        return entry.difference.undecided.empty() ? entry.difference.not_comparable
                                                  : entry.difference.undecided;
    const auto reasons = open_questions(task);
    return reasons.empty() ? "no other row can be compared with it"
                           : fmt::format("{}", fmt::join(reasons, "; "));
}

std::string prose_of(const std::vector<std::string>& notes,
                     const std::string& legend,
                     const report::TerminalStyle& style)
{
    std::string out;
    for (const std::string& note : notes)
        out += "Note: " + report::wrapped(note, style.width, 6, report::LongWords::broken) + '\n';
    return legend.empty()
               ? out
               : out + report::wrapped(legend, style.width, 0, report::LongWords::broken) + '\n';
}

std::string to_terminal_table(const Comparison& comparison, const report::TerminalStyle& style)
{
    const auto cell_of = [&](const Entry& entry, const task::Metric& metric) {
        return TextCell{value_text(entry, metric), stands_out(comparison, entry)};
    };
    std::string out = report::to_terminal(grid_of(comparison, cell_of), style);
    return out + prose_of(notes_of(comparison), legend(comparison, true), style);
}

namespace {

/// After a legend; where there is none, bold print says all.
std::string meaning_of_baseline_marks(const Comparison& comparison)
{
    return comparison.baseline.empty() ? "" : ' ' + meaning_of_marks(comparison);
}

} // namespace

namespace {

std::string meaning_of_bold(const Comparison& comparison)
{
    return !comparison.baseline.empty() ? "better than the baseline"
           : comparison.tested          ? "the best, and what cannot be told from it"
                                        : "the best";
}

} // namespace

std::string to_markdown(const Comparison& comparison)
{
    std::string out = report::to_markdown(
        grid_of(comparison, [&](const Entry& entry, const task::Metric& metric) {
            return full_cell(comparison, entry, metric);
        }));
    for (const std::string& note : notes_of(comparison))
        out += fmt::format("\n{}\n", report::markdown_paragraph(note));
    constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
    if (comparison.across)
        out += fmt::format("\n```\n{}```\n", across_to_text(comparison, unlimited));
    if (const std::string text = legend(comparison, false); !text.empty())
        out += "\nBold: " + meaning_of_bold(comparison) + ". " +
               report::markdown_escaped(text + meaning_of_baseline_marks(comparison)) + '\n';
    return out;
}

namespace {

std::string in_brackets(const std::string& metric)
{
    return metric.empty() ? "" : fmt::format(" ({})", metric);
}

} // namespace

std::string to_latex(const Comparison& comparison)
{
    const TextTable table =
        grid_of(comparison, [&](const Entry& entry, const task::Metric& metric) {
            return full_cell(comparison, entry, metric);
        });
    Sayings axes;
    for (const TaskComparison& task : comparison.tasks)
        axes.add(task.metric.axis() + in_brackets(comparison.metric), task.task);
    const auto axis_of = [](const std::string& axis, const std::string& tasks) {
        return fmt::format("{}: {}", tasks, axis);
    };
    std::string caption = fmt::format("{}", fmt::join(axes.texts(axis_of), "; "));
    caption += ". Bold: " + meaning_of_bold(comparison) + ". " + legend(comparison, false) +
               meaning_of_baseline_marks(comparison);
    for (const std::string& note : notes_of(comparison))
        caption += ' ' + note + (note.ends_with('.') ? "" : ".");
    const std::string across = comparison.across ? across_to_latex(comparison) : "";
    return report::to_latex(table, caption) + (across.empty() ? "" : '\n' + across);
}

} // namespace senteval::compare
