#include "report/markup.hpp"
#include "report/order.hpp"
#include "report/sections.hpp"

#include <algorithm>

namespace senteval::report::sections {
namespace {

using markup::append;
using markup::number;
using markup::text;

constexpr double cell_height = 21;

/// Room for the labels: of the rows on the left, of the columns above, where they stand at 48°
/// and lean over the right end.
struct Margins {
    double left = 60;
    double top = 30;
    double right = 20;
};

Margins margins_for(const std::vector<std::string>& rows, const std::vector<std::string>& columns)
{
    Margins margins;
    for (const std::string& name : rows)
        margins.left = std::max(margins.left, markup::text_width(name) + 12);
    for (const std::string& name : columns) {
        margins.top = std::max(margins.top, 0.75 * markup::text_width(name) + 16);
        margins.right = std::max(margins.right, 0.67 * markup::text_width(name) + 6);
    }
    return margins;
}

template <typename Named>
std::vector<std::string> names_of(const std::vector<Named>& all)
{
    std::vector<std::string> names;
    for (const Named& one : all)
        names.push_back(one.name);
    return names;
}

struct Tile {
    std::string fill; ///< class of the rectangle
    bool dark = false;
    std::string content;
};

void draw_tile(const Tile& tile, double x, double y, double width, std::string& out)
{
    append(out, "<rect class=\"{}\" x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\"/>",
           tile.fill, x, y, width - 1, cell_height - 1);
    text(out, x + (width - 1) / 2, y + 14.5, tile.dark ? "m t on" : "m t", tile.content);
}

void draw_column_label(const std::string& name, double x, double y, std::string& out)
{
    append(out, "<text class=\"t\" transform=\"translate({:.0f} {:.0f}) rotate(-48)\">{}</text>", x,
           y - 5, markup::escape(name));
}

/// The place of a score among those of its task: 0 the worst, 9 the best.
Tile score_tile(const Document& document,
                std::size_t encoder,
                std::size_t task,
                const markup::Range& range)
{
    const Cell& cell = document.cell(encoder, task);
    const Task& t = document.tasks[task];
    if (!cell.score.known())
        return {"none", false, cell.failure.empty() ? "" : "failed"};
    double share = 1;
    if (range.high() > range.low())
        share = (cell.score.value - range.low()) / (range.high() - range.low());
    if (!t.higher_is_better && range.high() > range.low())
        share = 1 - share;
    const int shade = std::clamp(static_cast<int>(share * 10), 0, 9);
    return {fmt::format("h{}", shade), shade >= 6,
            number(cell.score.value, std::max(1, t.decimals - 1))};
}

Tile correlation_tile(double r)
{
    if (std::isnan(r))
        return {"none", false, ""};
    if (r < -0.005) {
        const int shade = std::min(6, static_cast<int>(-r * 7));
        return {fmt::format("n{}", shade), shade >= 5, number(r, 2)};
    }
    const int shade = std::clamp(static_cast<int>(r * 10), 0, 9);
    return {fmt::format("h{}", shade), shade >= 6, number(r, 2)};
}

std::string group_of(const Document& document, const std::string& task)
{
    for (const Task& t : document.tasks)
        if (t.name == task)
            return t.group;
    return {};
}

void open_scroll(std::string_view label, std::string& out)
{
    append(out, "<div class=\"scroll plain\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">",
           label);
}

} // namespace

void heat_map(const Document& document, std::string& out)
{
    if (document.encoders.empty() || document.tasks.empty())
        return;
    markup::open_section(
        out, "heat-map", "Heat map",
        "Darker is better within a task (in a dark theme: lighter). Shades compare "
        "encoders of one column; between columns only the numbers count. Hatched: "
        "no result.");
    constexpr double cell_width = 44;
    const Margins margins = margins_for(names_of(document.encoders), names_of(document.tasks));
    const double width =
        margins.left + cell_width * static_cast<double>(document.tasks.size()) + margins.right;
    const double height =
        margins.top + cell_height * static_cast<double>(document.encoders.size()) + 4;
    open_scroll("Heat map", out);
    markup::open_svg(out, width, height, "Heat map of scores, encoders by tasks",
                     "All values stand in the leaderboard");
    const std::vector<std::size_t> order = by_mean_rank(document);
    for (std::size_t row = 0; row < order.size(); ++row)
        text(out, margins.left - 8, margins.top + cell_height * static_cast<double>(row) + 14.5,
             "e", document.encoders[order[row]].name);
    for (std::size_t task = 0; task < document.tasks.size(); ++task) {
        markup::Range range;
        for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder)
            range.add(document.cell(encoder, task).score.value);
        const double x = margins.left + cell_width * static_cast<double>(task);
        draw_column_label(document.tasks[task].name, x + cell_width / 2, margins.top, out);
        for (std::size_t row = 0; row < order.size(); ++row)
            draw_tile(score_tile(document, order[row], task, range), x,
                      margins.top + cell_height * static_cast<double>(row), cell_width, out);
    }
    out += "</svg></div></section>";
}

void task_correlations(const Document& document, std::string& out)
{
    const TaskCorrelations& matrix = document.correlations;
    const std::size_t tasks = matrix.tasks.size();
    if (tasks < 2)
        return;
    const std::size_t most = *std::max_element(matrix.n.begin(), matrix.n.end());
    markup::open_section(
        out, "correlation", "Task correlation",
        fmt::format("Spearman's correlation between tasks over at most {} encoders: "
                    "do they order the encoders alike? It depends on which encoders "
                    "are compared, and with few of them it is uncertain. Negative "
                    "values have another colour and a minus sign; hatched: fewer "
                    "than three encoders in common.",
                    most));
    constexpr double cell_width = 36;
    const double side = static_cast<double>(tasks);
    const Margins margins = margins_for(matrix.tasks, matrix.tasks);
    open_scroll("Task correlation", out);
    markup::open_svg(out, margins.left + cell_width * side + margins.right,
                     margins.top + cell_height * side + 4, "Correlation between tasks",
                     "Spearman's correlation over encoders");
    for (std::size_t row = 0; row < tasks; ++row) {
        const double y = margins.top + cell_height * static_cast<double>(row);
        const double x0 = margins.left + cell_width * static_cast<double>(row);
        text(out, margins.left - 8, y + 14.5, "e", matrix.tasks[row]);
        draw_column_label(matrix.tasks[row], x0 + cell_width / 2, margins.top, out);
        for (std::size_t column = 0; column < tasks; ++column)
            draw_tile(correlation_tile(matrix.r[row * tasks + column]),
                      margins.left + cell_width * static_cast<double>(column), y, cell_width, out);
        if (row > 0 &&
            group_of(document, matrix.tasks[row]) != group_of(document, matrix.tasks[row - 1]))
            append(out,
                   "<path class=\"axis\" d=\"M{0:.1f} {1:.1f}H{2:.1f}M{3:.1f} {4:.1f}V{5:.1f}\"/>",
                   margins.left, y - 0.5, margins.left + cell_width * side, x0 - 0.5, margins.top,
                   margins.top + cell_height * side);
    }
    out += "</svg></div></section>";
}

} // namespace senteval::report::sections
