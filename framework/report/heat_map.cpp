#include "report/markup.hpp"
#include "report/order.hpp"
#include "report/sections.hpp"

#include <algorithm>

namespace senteval::report::sections {
namespace {

using markup::append;
using markup::number;
using markup::text;

constexpr double label_width = 190;
constexpr double label_height = 138;
constexpr double cell_height = 21;

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

void draw_column_label(const std::string& name, double x, std::string& out)
{
    append(out, "<text class=\"t\" transform=\"translate({:.0f} {:.0f}) rotate(-48)\">{}</text>", x,
           label_height - 5, markup::escape(markup::shortened(name, 28)));
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
    return {fmt::format("h{}", shade), shade >= 5,
            number(cell.score.value, std::max(1, t.decimals - 1))};
}

Tile correlation_tile(double r)
{
    if (std::isnan(r))
        return {"none", false, ""};
    if (r < -0.005) {
        const int shade = std::min(6, static_cast<int>(-r * 7));
        return {fmt::format("n{}", shade), shade >= 4, number(r, 2)};
    }
    const int shade = std::clamp(static_cast<int>(r * 10), 0, 9);
    return {fmt::format("h{}", shade), shade >= 5, number(r, 2)};
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
    const double width =
        label_width + cell_width * static_cast<double>(document.tasks.size()) + 110;
    const double height =
        label_height + cell_height * static_cast<double>(document.encoders.size()) + 4;
    open_scroll("Heat map", out);
    markup::open_svg(out, width, height, "Heat map of scores, encoders by tasks",
                     "All values stand in the leaderboard");
    const std::vector<std::size_t> order = by_mean_rank(document);
    for (std::size_t row = 0; row < order.size(); ++row)
        text(out, label_width - 8, label_height + cell_height * static_cast<double>(row) + 14.5,
             "e", markup::shortened(document.encoders[order[row]].name, 28));
    for (std::size_t task = 0; task < document.tasks.size(); ++task) {
        markup::Range range;
        for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder)
            range.add(document.cell(encoder, task).score.value);
        const double x = label_width + cell_width * static_cast<double>(task);
        draw_column_label(document.tasks[task].name, x + cell_width / 2, out);
        for (std::size_t row = 0; row < order.size(); ++row)
            draw_tile(score_tile(document, order[row], task, range), x,
                      label_height + cell_height * static_cast<double>(row), cell_width, out);
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
    open_scroll("Task correlation", out);
    markup::open_svg(out, label_width + cell_width * side + 110,
                     label_height + cell_height * side + 4, "Correlation between tasks",
                     "Spearman's correlation over encoders");
    for (std::size_t row = 0; row < tasks; ++row) {
        const double y = label_height + cell_height * static_cast<double>(row);
        const double x0 = label_width + cell_width * static_cast<double>(row);
        text(out, label_width - 8, y + 14.5, "e", markup::shortened(matrix.tasks[row], 28));
        draw_column_label(matrix.tasks[row], x0 + cell_width / 2, out);
        for (std::size_t column = 0; column < tasks; ++column)
            draw_tile(correlation_tile(matrix.r[row * tasks + column]),
                      label_width + cell_width * static_cast<double>(column), y, cell_width, out);
        if (row > 0 &&
            group_of(document, matrix.tasks[row]) != group_of(document, matrix.tasks[row - 1]))
            append(out,
                   "<path class=\"axis\" d=\"M{0:.1f} {1:.1f}H{2:.1f}M{3:.1f} {4:.1f}V{5:.1f}\"/>",
                   label_width, y - 0.5, label_width + cell_width * side, x0 - 0.5, label_height,
                   label_height + cell_height * side);
    }
    out += "</svg></div></section>";
}

} // namespace senteval::report::sections
