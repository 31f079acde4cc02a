#include "report/labels.hpp"
#include "report/markup.hpp"
#include "report/order.hpp"
#include "report/sections.hpp"

#include <algorithm>
#include <numeric>

namespace senteval::report::sections {
namespace {

using markup::append;
using markup::Axis;
using markup::number;
using markup::text;

constexpr double plot_width = 202;
constexpr double value_width = 60;
constexpr double row_height = 18;
constexpr double first_row = 8;

/// Where the plots of all tasks begin and end: as wide as the longest name asks for.
struct Frame {
    double left = 138;

    [[nodiscard]] double right() const { return left + plot_width; }
    [[nodiscard]] double width() const { return right() + value_width; }
};

Frame frame_for(const Document& document)
{
    std::vector<std::string> names;
    for (const Encoder& encoder : document.encoders)
        names.push_back(encoder.name);
    for (const PublishedTable& table : document.published)
        for (const auto& row : table.rows)
            if (row.reference)
                names.push_back(row.name);
    return {markup::RowLabels::width_of(names, 126) + 12};
}

struct Row {
    std::string name;
    Measured score;
    std::string failure;
    markup::Dot dot = markup::Dot::small;
    std::string marks;
    bool published = false;
    bool is_best = false; ///< a verdict says so
};

/// `all`: how many encoders there are, of which the best are here.
std::vector<Row> rows_of(const Document& document, std::size_t task, std::size_t& all)
{
    std::vector<Row> rows;
    for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder) {
        const Cell& cell = document.cell(encoder, task);
        if (!cell.score.known() && cell.failure.empty())
            continue;
        rows.push_back({document.encoders[encoder].name, cell.score, cell.failure,
                        markup::dot_of(cell), markup::marks_of(cell), false, cell.best});
    }
    const bool higher = document.tasks[task].higher_is_better;
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
        if (a.score.known() != b.score.known())
            return a.score.known();
        return higher ? a.score.value > b.score.value : a.score.value < b.score.value;
    });
    all = rows.size();
    rows.resize(std::min(all, most_plotted));
    for (const PublishedTable& table : document.published)
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const auto& c = table.columns[column];
            if (!c.compares_with(document.tasks[task]))
                continue;
            for (const auto& row : table.rows)
                if (row.reference && !std::isnan(row.values[column]))
                    rows.push_back({row.name,
                                    {row.values[column] * c.scale},
                                    {},
                                    markup::Dot::small,
                                    {},
                                    true,
                                    false});
        }
    return rows;
}

markup::RowLabels labels_of(const std::vector<Row>& rows)
{
    std::vector<std::string> names;
    names.reserve(rows.size());
    for (const Row& row : rows)
        names.push_back(row.name);
    return {names, first_row, row_height};
}

/// All of the row but its name.
void draw_row(
    const Frame& frame, const Row& row, const Axis& axis, double y, int decimals, std::string& out)
{
    if (!row.score.known()) {
        text(out, frame.left + 6, y + 4, "q i", "failed");
        return;
    }
    text(out, frame.width() - 4, y + 4, row.published ? "e t i q" : "e t",
         number(row.score.value, decimals) + row.marks);
    if (row.published)
        return;
    markup::draw_estimate(out, axis, row.score, y, row.dot);
}

void figure(const Document& document, const Frame& frame, std::size_t task, std::string& out)
{
    const Task& t = document.tasks[task];
    std::size_t all = 0;
    const std::vector<Row> rows = rows_of(document, task, all);
    markup::Range range;
    for (const Row& row : rows)
        if (!row.published) // their place is beside the axis: other settings made them
            range.add(row.score);
    if (range.empty())
        return;
    const Axis axis(range.low(), range.high(), frame.left, frame.right(), 4);
    const markup::RowLabels labels = labels_of(rows);
    const double bottom = labels.bottom() + 4;
    append(out, "<figure id=\"plot-{0}\"><figcaption><b><a href=\"#column-{0}\">{1}</a></b>", task,
           markup::escape(markup::marked_name(t)));
    if (t.items > 0)
        append(out, " · {} items", markup::items_of(t));
    if (!std::isnan(t.detectable))
        append(out, " · detectable difference {}", markup::detectable(t));
    if (all > most_plotted)
        append(out, " · the best {} of {}", most_plotted, all);
    if (!t.score_population.empty())
        append(out, "<br/>intervals are about {}", markup::escape(t.score_population));
    out += "</figcaption>";
    markup::open_svg(out, frame.width(), bottom + 36, markup::marked_name(t) + ": " + t.unit,
                     rows.front().name + " is first with " +
                         number(rows.front().score.value, t.decimals) +
                         "; all values stand in the leaderboard");
    markup::draw_axis(out, {frame.left, frame.right(), first_row, bottom}, axis, t.unit);
    for (const Row& row : rows)
        if (row.is_best)
            append(out, "<path class=\"ref\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>",
                   axis.at(row.score.value), first_row, bottom);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        labels.draw(out, i, frame.left - 8,
                    rows[i].published                    ? "i q"
                    : rows[i].dot == markup::Dot::filled ? "b"
                                                         : "");
        draw_row(frame, rows[i], axis, labels.middle(i), t.decimals, out);
    }
    out += "</svg></figure>\n";
}

void legend(bool with_published, bool with_doubts, std::string& out)
{
    out +=
        "<ul class=\"legend\" aria-hidden=\"true\"><li><svg width=\"34\" height=\"14\"><path "
        "class=\"whisker\" d=\"M2 7H32m0-3v6M2 4v6\"/><circle class=\"dot\" cx=\"17\" cy=\"7\" "
        "r=\"3.6\"/></svg>best, or not told from it, with 95 % interval</li><li><svg "
        "width=\"34\" height=\"14\"><path class=\"whisker far\" d=\"M2 7H32m0-3v6M2 4v6\"/><circle "
        "class=\"dot open\" cx=\"17\" cy=\"7\" r=\"3.6\"/></svg>told from the best</li><li><svg "
        "width=\"14\" height=\"14\"><path class=\"ref\" d=\"M7 0V14\"/></svg>value of the "
        "best</li><li><svg width=\"34\" height=\"14\"><path class=\"whisker far\" d=\"M2 "
        "7H32m0-3v6M2 "
        "4v6\"/><circle class=\"dot small\" cx=\"17\" cy=\"7\" r=\"2.2\"/></svg>? no verdict</li>";
    if (with_doubts)
        out += "<li>* perhaps not the published data</li>";
    if (with_published)
        out += "<li><i>italics</i>: published by others; the value alone, not on the axis</li>";
    out += "</ul>";
}

} // namespace

void forest_plots(const Document& document, std::string& out)
{
    std::string groups;
    const Frame frame = frame_for(document);
    for (const TaskGroup& group : groups_of(document)) {
        std::string figures;
        for (std::size_t task = group.first; task < group.end; ++task)
            figure(document, frame, task, figures);
        if (!figures.empty())
            append(groups, "<h3>{}</h3><div class=\"figures\" style=\"--figure:{:.0f}px\">{}</div>",
                   markup::escape(group.name), 0.85 * frame.width(), figures);
    }
    if (groups.empty())
        return;
    markup::open_section(out, "forest", "Scores by task",
                         "One plot for each task, best first. Whether two encoders differ is "
                         "decided by a paired test, not by whether their intervals overlap.");
    legend(!document.published.empty(),
           std::ranges::any_of(document.tasks, [](const Task& task) { return task.is_doubtful; }),
           out);
    out += groups + "</section>";
}

} // namespace senteval::report::sections
