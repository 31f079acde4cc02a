// Scores and differences: a plot for each task, a line for each row.
#include "base/terminal.hpp"
#include "report/markup.hpp"
#include "report/sections.hpp"
#include "report/table.hpp"
#include "report/words.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace senteval::report::sections {
namespace {

using compare::Comparison;
using compare::Entry;
using compare::TaskComparison;
using compare::Verdict;
using markup::append;
using markup::Axis;
using markup::Estimate;
using markup::text;

constexpr double plot_width = 190;
constexpr double value_width = 118; ///< "71.95 [70.92, 72.98]"
constexpr double row_height = 18;
constexpr double top = 8;

enum class Dot {
    filled, ///< the best, or not significantly different from it
    open,   ///< significantly different
    small   ///< no verdict
};

/// Names at the left of a plot's rows. A row is as high as the lines of its name need.
class RowLabels {
public:
    explicit RowLabels(const std::vector<std::string>& names) : edges_{top}
    {
        for (const std::string& name : names) {
            lines_.push_back(folded(name, most_columns));
            edges_.push_back(
                edges_.back() +
                std::max(row_height, line_height * static_cast<double>(lines_.back().size()) + 5));
        }
    }

    /// Pixels that the widest of the names takes in capitals: the reader's font is not known.
    static double width_of(const std::vector<std::string>& names)
    {
        std::size_t columns = 10;
        for (const std::string& name : names)
            for (const std::string& line : folded(name, most_columns))
                columns = std::max(columns, base::display_width(line));
        return 8.6 * static_cast<double>(columns);
    }

    [[nodiscard]] double middle(std::size_t row) const
    {
        return (edges_[row] + edges_[row + 1]) / 2;
    }
    [[nodiscard]] double bottom() const { return edges_.back(); }

    /// The row's name, which ends at `right`.
    void draw(std::string& out, std::size_t row, double right, bool bold) const
    {
        const auto& lines = lines_[row];
        double y = middle(row) + 4 - line_height * (static_cast<double>(lines.size()) - 1) / 2;
        for (const std::string& line : lines) {
            text(out, right, y, bold ? "e b" : "e", line);
            y += line_height;
        }
    }

private:
    static constexpr double line_height = 13;
    static constexpr std::size_t most_columns = 26; ///< of a line
    std::vector<std::vector<std::string>> lines_;
    std::vector<double> edges_; ///< tops of the rows, and the bottom of the last
};

/// Grid lines, the axis with its numbers, and what it shows; all of it ends 36 below `bottom`.
void draw_axis(std::string& out,
               double left,
               double right,
               double bottom,
               const Axis& axis,
               std::string_view title)
{
    for (const double tick : axis.ticks()) {
        append(out, "<path class=\"grid\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>", axis.at(tick), top,
               bottom);
        text(out, axis.at(tick), bottom + 14, "m t q", markup::number(tick, axis.tick_decimals()));
    }
    append(out, "<path class=\"axis\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", left, bottom, right);
    text(out, (left + right) / 2, bottom + 29, "m t q", title);
}

/// A value at a height, with its interval where it has one.
void draw_estimate(std::string& out, const Axis& axis, const Estimate& estimate, double y, Dot dot)
{
    const bool is_filled = dot == Dot::filled;
    if (estimate.has_interval())
        append(out, "<path class=\"whisker{}\" d=\"M{:.1f} {:.1f}H{:.1f}m0-3v6M{:.1f} {:.1f}v6\"/>",
               is_filled ? "" : " far", axis.at(estimate.interval.low), y,
               axis.at(estimate.interval.high), axis.at(estimate.interval.low), y - 3);
    append(out, "<circle class=\"dot{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>",
           is_filled          ? ""
           : dot == Dot::open ? " open"
                              : " small",
           axis.at(estimate.value), y, dot == Dot::small ? "2.2" : "3.6");
}

struct Line {
    std::string name;
    Estimate estimate;
    std::string value; ///< in text, beside the plot
    Dot dot = Dot::small;
};

struct DotPlot {
    std::string caption; ///< markup
    std::string title;
    std::string axis;
    std::vector<Line> lines;
    std::optional<double> reference;                         ///< a dashed line
    std::vector<std::pair<std::size_t, std::size_t>> groups; ///< first and last line of a bar
};

/// Left edge of all plots of a section: as wide as the longest name needs.
double left_of(const Comparison& comparison)
{
    return RowLabels::width_of(comparison.rows) + 12;
}

void draw(const DotPlot& plot, double left, std::string_view id, std::string& out)
{
    std::vector<std::string> names;
    markup::Range range;
    for (const Line& line : plot.lines) {
        names.push_back(line.name);
        range.add(line.estimate);
    }
    if (plot.reference)
        range.add(*plot.reference);
    if (range.empty())
        return;
    const double bars = plot.groups.empty() ? 0 : 10 * static_cast<double>(plot.groups.size()) + 12;
    const double right = left + std::max(plot_width - bars, plot_width / 2);
    const Axis axis(range.low(), range.high(), left, right, 4);
    const RowLabels labels(names);
    const double bottom = labels.bottom() + 4;
    const double width = right + bars + value_width;
    append(out, "<figure{}><figcaption>{}</figcaption>", id, plot.caption);
    markup::open_svg(out, width, bottom + 36, plot.title, "");
    draw_axis(out, left, right, bottom, axis, plot.axis);
    if (plot.reference)
        append(out, "<path class=\"ref\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", axis.at(*plot.reference),
               top, bottom);
    for (std::size_t i = 0; i < plot.lines.size(); ++i) {
        const Line& line = plot.lines[i];
        const double y = labels.middle(i);
        labels.draw(out, i, left - 8, line.dot == Dot::filled);
        if (line.estimate.known())
            draw_estimate(out, axis, line.estimate, y, line.dot);
        text(out, width - 4, y + 4, "e t", line.value);
    }
    for (std::size_t group = 0; group < plot.groups.size(); ++group)
        append(out, "<path class=\"whisker\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>",
               right + 12 + 10 * static_cast<double>(group),
               labels.middle(plot.groups[group].first) - 6,
               labels.middle(plot.groups[group].second) + 6);
    out += "</svg></figure>\n";
}

Dot dot_of(const Comparison& comparison, const TaskComparison& task, const Entry& entry)
{
    if (entry.verdict == Verdict::unknown || entry.verdict == Verdict::missing || task.is_open ||
        !comparison.tested)
        return Dot::small;
    return entry.among_best() ? Dot::filled : Dot::open;
}

/// The figures of each group of tasks, under its name.
void by_group(const Comparison& comparison,
              double left,
              const std::function<void(std::size_t task, std::string& out)>& figure,
              std::string& out)
{
    for (const TaskGroup& group : groups_of(comparison)) {
        std::string figures;
        for (std::size_t task = group.first; task < group.end; ++task)
            figure(task, figures);
        if (!figures.empty())
            append(out, "<h3>{}</h3><div class=\"figures\" style=\"--figure:{:.0f}px\">{}</div>",
                   markup::escape(group.name), 0.85 * (left + plot_width + value_width), figures);
    }
}

void score_plot(const Comparison& comparison, std::size_t at, double left, std::string& out)
{
    const TaskComparison& task = comparison.tasks[at];
    DotPlot plot;
    std::size_t items = 0;
    const std::vector<std::size_t> rows = by_value(task);
    for (std::size_t i = 0; i < std::min(rows.size(), most_plotted); ++i) {
        const Entry& entry = task.entries[rows[i]];
        const compare::Score& score = entry.score;
        items = std::max(items, score.items);
        const std::string value = fmt::format("{}{} {}", short_number(score.value, task.metric),
                                              mark_of(comparison, task, entry),
                                              short_interval(score.interval, task.metric));
        plot.lines.push_back({comparison.rows[rows[i]],
                              {score.value, score.interval},
                              entry.has_value() ? value : "failed",
                              dot_of(comparison, task, entry)});
    }
    const std::string name = heading_of(task);
    plot.caption = fmt::format("<b><a href=\"#column-{}\">{}</a></b>", at, markup::escape(name));
    if (items > 0)
        append(plot.caption, " · {} items", markup::thousands(items));
    if (!std::isnan(task.detectable))
        append(plot.caption, " · differences of {}{} would be detected",
               short_number(task.detectable, task.metric),
               task.metric.unit == results::percent ? " points" : "");
    if (rows.size() > most_plotted)
        append(plot.caption, " · the best {} of {}", most_plotted, rows.size());
    plot.title = name + ": " + task.metric.axis();
    plot.axis = task.metric.axis();
    if (task.reference && !task.is_open)
        plot.reference = task.entries[*task.reference].score.value;
    draw(plot, left, fmt::format(" id=\"plot-{}\"", at), out);
}

void difference_plot(const Comparison& comparison,
                     const TaskComparison& task,
                     double left,
                     std::string& out)
{
    if (!task.reference)
        return;
    DotPlot plot;
    for (const std::size_t row : by_value(task)) {
        const Entry& entry = task.entries[row];
        const compare::Difference& difference = entry.difference;
        if (row == *task.reference || !difference.has_verdict() || std::isnan(difference.value) ||
            plot.lines.size() >= most_plotted)
            continue;
        const std::string value = fmt::format(
            "{}{} {}", signed_short(difference.value, task.metric),
            mark_of(comparison, task, entry), short_interval(difference.interval, task.metric));
        plot.lines.push_back({comparison.rows[row],
                              {difference.value, difference.interval},
                              value,
                              dot_of(comparison, task, entry)});
    }
    if (plot.lines.empty())
        return;
    const std::string& reference = comparison.rows[*task.reference];
    plot.title = heading_of(task) + ": differences to " + reference;
    plot.caption = fmt::format("<b>{}</b> · differences to {}", markup::escape(heading_of(task)),
                               markup::escape(reference));
    plot.axis = "difference, " + task.metric.axis();
    plot.reference = 0;
    draw(plot, left, "", out);
}

/// Mean ranks on a line, and bars over those that are not significantly different (Demšar 2006, figure 1),
/// turned on its side so that any number of names can be read.
void rank_diagram(const Comparison& comparison, double left, std::string& out)
{
    if (!comparison.across || comparison.across->rows.empty())
        return;
    const compare::AcrossTasks& across = *comparison.across;
    DotPlot plot;
    for (std::size_t at = 0; at < across.rows.size(); ++at)
        plot.lines.push_back({comparison.rows[across.rows[at]],
                              {across.mean_ranks[at]},
                              markup::number(across.mean_ranks[at], 2),
                              Dot::open});
    plot.title = "Mean rank over the tasks";
    plot.caption = fmt::format("<b>Mean rank</b> · {} tasks, Friedman p = {}; bars: not "
                               "significantly different",
                               across.tasks.size(), p_text(across.friedman.p_value));
    plot.axis = "mean rank";
    plot.groups = across.groups;
    append(out, "<h3>Over the tasks</h3><div class=\"figures\" style=\"--figure:{:.0f}px\">",
           0.85 * (left + plot_width + value_width));
    draw(plot, left, "", out);
    out += "</div>";
}

void legend(const Comparison& comparison, std::string& out)
{
    const bool to_best = comparison.options.baseline.empty();
    const auto dot = [&](std::string_view whisker, std::string_view circle, double radius,
                         std::string_view words) {
        append(out,
               "<li><svg width=\"34\" height=\"14\"><path class=\"whisker{}\" d=\"M2 "
               "7H32m0-3v6M2 4v6\"/><circle class=\"dot{}\" cx=\"17\" cy=\"7\" r=\"{}\"/></svg>{}"
               "</li>",
               whisker, circle, radius, words);
    };
    out += "<ul class=\"legend\" aria-hidden=\"true\">";
    dot("", "", 3.6, to_best ? "best, or not significantly worse" : "not significantly different");
    dot(" far", " open", 3.6, to_best ? "significantly worse" : "significantly different");
    dot(" far", " small", 2.2, "no verdict");
    append(out,
           "<li><svg width=\"14\" height=\"14\"><path class=\"ref\" d=\"M7 0V14\"/></svg>{}</li>"
           "</ul>",
           to_best ? "the best" : "the baseline");
}

} // namespace

void scores(const Page& page, std::string& out)
{
    const Comparison& comparison = page.comparison;
    const double left = left_of(comparison);
    std::string figures;
    by_group(
        comparison, left,
        [&](std::size_t task, std::string& into) { score_plot(comparison, task, left, into); },
        figures);
    if (figures.empty())
        return;
    markup::open_section(out, "scores", "Scores by task",
                         "With 95 % intervals, best first. Whether two encoders differ is decided "
                         "by their difference, not by whether these intervals overlap.");
    legend(comparison, out);
    out += figures + "</section>";
}

void differences(const Page& page, std::string& out)
{
    const Comparison& comparison = page.comparison;
    const double left = left_of(comparison);
    std::string figures;
    by_group(
        comparison, left,
        [&](std::size_t task, std::string& into) {
            difference_plot(comparison, comparison.tasks[task], left, into);
        },
        figures);
    rank_diagram(comparison, left, figures);
    if (figures.empty())
        return;
    markup::open_section(out, "differences",
                         comparison.options.baseline.empty() ? "Differences to the best"
                                                             : "Differences to the baseline",
                         "On the same test items, of rows with a verdict. The intervals of a task "
                         "hold together: one that excludes 0 is a significant difference.");
    legend(comparison, out);
    out += figures + "</section>";
}

} // namespace senteval::report::sections
