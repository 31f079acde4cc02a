#include "compare/formats.hpp"

#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace senteval::compare {
namespace {

constexpr double level = 0.05;

std::string number(double value, const std::string& metric)
{
    return std::isnan(value) ? "-" : report::format_metric(value, metric);
}

std::string p_text(double p)
{
    if (std::isnan(p))
        return "";
    return p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p);
}

std::string interval_text(const stats::Interval& interval, const std::string& metric)
{
    if (std::isnan(interval.low) || std::isnan(interval.high))
        return "";
    return fmt::format("[{}, {}]", report::format_metric(interval.low, metric),
                       report::format_metric(interval.high, metric));
}

std::string signed_number(double value, const std::string& metric)
{
    if (std::isnan(value))
        return "";
    return (value < 0 ? "" : "+") + report::format_metric(value, metric);
}

std::string value_text(const Score& score, const std::string& metric)
{
    if (score.seeds < 2)
        return number(score.value, metric);
    return fmt::format("{} ±{}", number(score.value, metric), number(score.sd, metric));
}

std::string padded(const std::string& text, std::size_t width)
{
    return text + std::string(width - std::min(width, report::display_width(text)), ' ');
}

/// Rows of a task from the highest value to the lowest; rows without a value are left out.
std::vector<std::size_t> ranked(const TaskComparison& task)
{
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < task.entries.size(); ++row)
        if (!std::isnan(task.entries[row].score.value))
            order.push_back(row);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return task.entries[a].score.value > task.entries[b].score.value;
    });
    return order;
}

std::string terminal_line(const Entry& entry, const std::string& label, const std::string& metric)
{
    std::string line = fmt::format("  {} {}  {} {}", entry.tied ? '=' : ' ', label,
                                   padded(value_text(entry.score, metric), 14),
                                   padded(interval_text(entry.score.interval, metric), 18));
    if (!std::isnan(entry.difference.value))
        line += fmt::format(
            "  {:>8} {}  p {} ({})", signed_number(entry.difference.value, metric),
            padded(interval_text(entry.difference.interval, metric), 18), p_text(entry.p_adjusted),
            entry.difference.test.empty() ? "not comparable" : entry.difference.test);
    return line;
}

std::string latex_escaped(const std::string& text)
{
    std::string escaped;
    for (const char c : text) {
        if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string half_width(const stats::Interval& interval, const std::string& metric)
{
    return std::isnan(interval.low)
               ? ""
               : report::format_metric((interval.high - interval.low) / 2, metric);
}

std::string csv_number(double value)
{
    return std::isnan(value) ? "" : fmt::format("{}", value);
}

std::string how_to_read(const Comparison& comparison)
{
    std::string text = "Intervals are 95 %: Wilson for accuracies, BCa bootstrap for the rest. "
                       "Differences are to ";
    text += comparison.baseline.empty() ? "the best of the task" : "'" + comparison.baseline + "'";
    return text + ", with Holm-adjusted p-values over the whole table; = marks the best and what "
                  "cannot be told from it at level 5 %.\n";
}

} // namespace

std::string to_terminal(const Comparison& comparison, bool bold)
{
    std::size_t width = 0;
    for (const std::string& row : comparison.rows)
        width = std::max(width, report::display_width(row));
    std::string out;
    for (const TaskComparison& task : comparison.tasks) {
        out += fmt::format("{}  {}", task.task, task.metric);
        if (!std::isnan(task.detectable))
            out += fmt::format("   (a difference of {} would be detected with power 80 %)",
                               number(task.detectable, task.metric));
        out += '\n';
        for (const std::size_t row : ranked(task)) {
            const Entry& entry = task.entries[row];
            const std::string line =
                terminal_line(entry, padded(comparison.rows[row], width), task.metric);
            out += bold && entry.is_best ? "\x1b[1m" + line + "\x1b[0m" : line;
            while (out.ends_with(' '))
                out.pop_back();
            out += '\n';
        }
        out += '\n';
    }
    for (const std::string& warning : comparison.warnings)
        out += fmt::format("Note: {}\n", warning);
    return out + how_to_read(comparison);
}

std::string to_markdown(const Comparison& comparison)
{
    std::string out = "| encoder |";
    std::string rule = "|:---|";
    for (const TaskComparison& task : comparison.tasks) {
        out += fmt::format(" {} |", task.task);
        rule += "---:|";
    }
    out += '\n' + rule + '\n';
    for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
        out += fmt::format("| {} |", comparison.rows[row]);
        for (const TaskComparison& task : comparison.tasks) {
            const Entry& entry = task.entries[row];
            std::string text = number(entry.score.value, task.metric);
            if (entry.tied && !std::isnan(entry.score.value))
                text = "**" + text + "**";
            if (const auto half = half_width(entry.score.interval, task.metric); !half.empty())
                text += " ±" + half;
            out += fmt::format(" {} |", text);
        }
        out += '\n';
    }
    for (const std::string& warning : comparison.warnings)
        out += fmt::format("\n{}\n", warning);
    return out + "\nBold: the best, and what cannot be told from it. " + how_to_read(comparison);
}

std::string to_latex(const Comparison& comparison)
{
    std::string out = fmt::format("\\begin{{tabular}}{{l{}}}\n\\toprule\nEncoder",
                                  std::string(comparison.tasks.size(), 'r'));
    for (const TaskComparison& task : comparison.tasks)
        out += " & " + latex_escaped(task.task);
    out += " \\\\\n\\midrule\n";
    for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
        out += latex_escaped(comparison.rows[row]);
        for (const TaskComparison& task : comparison.tasks) {
            const Entry& entry = task.entries[row];
            std::string text = number(entry.score.value, task.metric);
            if (entry.tied && !std::isnan(entry.score.value))
                text = "\\textbf{" + text + "}";
            if (!comparison.baseline.empty() && entry.p_adjusted < level)
                text += "$^{\\dagger}$";
            out += " & " + text;
        }
        out += " \\\\\n";
    }
    return out + "\\bottomrule\n\\end{tabular}\n";
}

std::string to_csv(const Comparison& comparison)
{
    std::string out = "encoder,task,metric,value,low,high,items,seeds,sd,difference,difference_low,"
                      "difference_high,p,p_holm,test,best,tied,detectable\n";
    for (std::size_t row = 0; row < comparison.rows.size(); ++row)
        for (const TaskComparison& task : comparison.tasks) {
            const Entry& entry = task.entries[row];
            const Score& score = entry.score;
            const Difference& difference = entry.difference;
            if (std::isnan(score.value))
                continue;
            out += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:d},{:d},{}\n",
                               report::csv_field(comparison.rows[row]),
                               report::csv_field(task.task), task.metric, csv_number(score.value),
                               csv_number(score.interval.low), csv_number(score.interval.high),
                               score.items, score.seeds, csv_number(score.sd),
                               csv_number(difference.value), csv_number(difference.interval.low),
                               csv_number(difference.interval.high), csv_number(difference.p_value),
                               csv_number(entry.p_adjusted), difference.test, entry.is_best,
                               entry.tied, csv_number(difference.detectable));
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
                 {"metric", task.metric},
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
                 {"tied", entry.tied}});
        }
    return {{"baseline", comparison.baseline}, {"cells", cells}, {"warnings", comparison.warnings}};
}

} // namespace senteval::compare
