#include "report/labels.hpp"
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
constexpr int last_shade = 9; ///< the darkest of ten
constexpr int first_dark = 6; ///< the first that carries light text

/// Room for the labels: of the rows on the left, of the columns above, where they stand at 48°
/// and lean over the right end.
struct Margins {
    double left = 60;
    double top = 30;
    double right = 20;
};

/// At most two: more would run into the next column's.
std::vector<std::string> column_lines(const std::string& name)
{
    double width = markup::RowLabels::widest;
    auto lines = markup::lines_of(name, width);
    for (; lines.size() > 2; lines = markup::lines_of(name, width))
        width *= 1.2;
    return lines;
}

Margins margins_for(const std::vector<std::string>& rows, const std::vector<std::string>& columns)
{
    Margins margins;
    margins.left = markup::RowLabels::width_of(rows, 48) + 12;
    for (const std::string& name : columns)
        for (const std::string& line : column_lines(name)) {
            margins.top = std::max(margins.top, 0.75 * markup::text_width(line) + 30);
            margins.right = std::max(margins.right, 0.67 * markup::text_width(line) + 12);
        }
    return margins;
}

template <typename Named>
std::vector<std::string> names_of(const std::vector<Named>& all)
{
    std::vector<std::string> names;
    names.reserve(all.size());
    for (const Named& one : all)
        names.push_back(one.name);
    return names;
}

struct Tile {
    std::string fill; ///< class of the rectangle
    bool dark = false;
    std::string content;
};

void draw_tile(const Tile& tile, double x, double y, double width, double height, std::string& out)
{
    append(out, "<rect class=\"{}\" x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\"/>",
           tile.fill, x, y, width - 1, height - 1);
    text(out, x + (width - 1) / 2, y + height / 2 + 4, tile.dark ? "m t on" : "m t", tile.content);
}

void draw_column_label(const std::string& name, double x, double y, std::string& out)
{
    const auto lines = column_lines(name);
    for (std::size_t i = 0; i < lines.size(); ++i)
        append(out,
               "<text class=\"t\" transform=\"translate({:.0f} {:.0f}) rotate(-48)\" "
               "y=\"{}\">{}</text>",
               x, y - 5, 12 * (static_cast<int>(i) + 1 - static_cast<int>(lines.size())),
               markup::escape(lines[i]));
}

/// How the scores of a task are shaded: the best darkest, and one shade lighter with every `step`.
struct Shades {
    double best = core::nan;
    double step = core::nan;
};

/// A step is a difference that the test set can show: its detectable difference, else half the
/// width of the best's interval; more where the scores would need more than the shades there are. Of the encoders that
/// are compared with `reference`, and itself.
Shades shades_of(const Document& document, std::size_t task, const std::string& reference)
{
    const bool higher = document.tasks[task].higher_is_better;
    markup::Range range;
    Measured best;
    for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder) {
        const Cell& cell = document.cell(encoder, task);
        if (cell.against != reference && document.encoders[encoder].name != reference)
            continue;
        const Measured& score = cell.score;
        range.add(score.value);
        if (score.known() &&
            (!best.known() || (higher ? score.value > best.value : score.value < best.value)))
            best = score;
    }
    double shown = document.tasks[task].detectable;
    if (std::isnan(shown) && best.has_interval())
        shown = (best.high - best.low) / 2;
    const double spread = range.empty() ? 0 : (range.high() - range.low()) / last_shade;
    return {best.value, std::isnan(shown) ? spread : std::max(shown, spread)};
}

/// Scores that the paired test tells from the best are never shaded like it, those that it does not
/// tell always are.
int shade_of(const Cell& cell, const Shades& shades)
{
    if (cell.is_near_best())
        return last_shade;
    const double distance = std::abs(cell.score.value - shades.best);
    const int steps = shades.step > 0 ? static_cast<int>(distance / shades.step + 1e-9) : 0;
    return std::max(0, last_shade - std::max(steps, 1));
}

Tile score_tile(const Cell& cell, const Task& task, const Shades& shades)
{
    if (!cell.score.known())
        return {"none", false, cell.failure.empty() ? "" : "failed"};
    const std::string value =
        number(cell.score.value, std::max(1, task.decimals - 1)) + markup::marks_of(cell);
    if (!cell.is_near_best() && !cell.is_told_from_best())
        return {"plain", false, value};
    const int shade = shade_of(cell, shades);
    return {fmt::format("h{}", shade), shade >= first_dark, value};
}

Tile correlation_tile(double r)
{
    if (std::isnan(r))
        return {"none", false, ""};
    if (r < -0.005) {
        const int shade = std::min(6, static_cast<int>(-r * 7));
        return {fmt::format("n{}", shade), shade >= 5, number(r, 2)};
    }
    const int shade = std::clamp(static_cast<int>(r * 10), 0, last_shade);
    return {fmt::format("h{}", shade), shade >= first_dark, number(r, 2)};
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
        "The darkest (in a dark theme: lightest) are the best of a task and those "
        "not told from it. One shade further is a difference that the test set can show, or "
        "more where the scores lie far apart. Shades compare encoders of one column; between "
        "columns only the numbers count. Not shaded: no verdict. Hatched: no result.");
    constexpr double cell_width = 44;
    std::vector<std::string> tasks;
    tasks.reserve(document.tasks.size());
    for (const Task& task : document.tasks)
        tasks.push_back(markup::marked_name(task));
    const Margins margins = margins_for(names_of(document.encoders), tasks);
    const double width =
        margins.left + cell_width * static_cast<double>(document.tasks.size()) + margins.right;
    const std::vector<std::size_t> order = by_mean_rank(document);
    std::vector<std::string> names;
    names.reserve(order.size());
    for (const std::size_t encoder : order)
        names.push_back(document.encoders[encoder].name);
    const markup::RowLabels labels(names, margins.top, cell_height);
    open_scroll("Heat map", out);
    markup::open_svg(out, width, labels.bottom() + 4, "Heat map of scores, encoders by tasks",
                     "All values stand in the leaderboard");
    for (std::size_t row = 0; row < order.size(); ++row)
        labels.draw(out, row, margins.left - 8, "");
    for (std::size_t task = 0; task < document.tasks.size(); ++task) {
        const double x = margins.left + cell_width * static_cast<double>(task);
        draw_column_label(tasks[task], x + cell_width / 2, margins.top, out);
        for (std::size_t row = 0; row < order.size(); ++row) {
            const Cell& cell = document.cell(order[row], task);
            const std::string& name = document.encoders[order[row]].name;
            const Shades shades =
                shades_of(document, task, cell.against.empty() ? name : cell.against);
            draw_tile(score_tile(cell, document.tasks[task], shades), x, labels.top(row),
                      cell_width, labels.height(row), out);
        }
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
    const auto side = static_cast<double>(tasks);
    std::vector<std::string> names;
    names.reserve(tasks);
    for (const std::string& task : matrix.tasks)
        names.push_back(markup::marked_name(document, task));
    const Margins margins = margins_for(names, names);
    const markup::RowLabels labels(names, margins.top, cell_height);
    open_scroll("Task correlation", out);
    markup::open_svg(out, margins.left + cell_width * side + margins.right, labels.bottom() + 4,
                     "Correlation between tasks", "Spearman's correlation over encoders");
    for (std::size_t row = 0; row < tasks; ++row) {
        const double y = labels.top(row);
        const double x0 = margins.left + cell_width * static_cast<double>(row);
        labels.draw(out, row, margins.left - 8, "");
        draw_column_label(names[row], x0 + cell_width / 2, margins.top, out);
        for (std::size_t column = 0; column < tasks; ++column)
            draw_tile(correlation_tile(matrix.r[row * tasks + column]),
                      margins.left + cell_width * static_cast<double>(column), y, cell_width,
                      labels.height(row), out);
        if (row > 0 &&
            group_of(document, matrix.tasks[row]) != group_of(document, matrix.tasks[row - 1]))
            append(out,
                   "<path class=\"axis\" d=\"M{0:.1f} {1:.1f}H{2:.1f}M{3:.1f} {4:.1f}V{5:.1f}\"/>",
                   margins.left, y - 0.5, margins.left + cell_width * side, x0 - 0.5, margins.top,
                   labels.bottom());
    }
    out += "</svg></div></section>";
}

} // namespace senteval::report::sections
