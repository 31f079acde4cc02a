// What can be told apart: a sentence at the top, the differences to the best, and over the tasks.
#include "report/labels.hpp"
#include "report/markup.hpp"
#include "report/order.hpp"
#include "report/sections.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::report::sections {
namespace {
namespace differing { // forest.cpp has plots of the same build

using markup::append;
using markup::Axis;
using markup::number;
using markup::text;

constexpr double plot_width = 202;
constexpr double value_width = 70;
constexpr double row_height = 18;
constexpr double top = 8;

double name_width(const Document& document)
{
    std::vector<std::string> names;
    for (const Encoder& encoder : document.encoders)
        names.push_back(encoder.name);
    return markup::RowLabels::width_of(names, 126) + 12;
}

/// Whom encoders of the task are compared with: the best, or of each set that can be compared its own.
std::vector<std::string> references_of(const Document& document, std::size_t task)
{
    std::vector<std::string> names;
    for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder)
        if (const Cell& cell = document.cell(encoder, task);
            cell.difference.has_interval() && std::ranges::count(names, cell.against) == 0)
            names.push_back(cell.against);
    return names;
}

/// Encoders whose difference to that one is known, from the best down.
std::vector<std::size_t>
rows_of(const Document& document, std::size_t task, const std::string& reference)
{
    std::vector<std::size_t> rows;
    for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder)
        if (const Cell& cell = document.cell(encoder, task);
            cell.difference.has_interval() && cell.against == reference)
            rows.push_back(encoder);
    const bool higher = document.tasks[task].higher_is_better;
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
        const double first = document.cell(a, task).difference.value;
        const double second = document.cell(b, task).difference.value;
        return higher ? first > second : first < second;
    });
    return rows;
}

/// All of the row but its name.
void draw_row(const Document& document,
              std::size_t encoder,
              std::size_t task,
              const Axis& axis,
              double left,
              double y,
              std::string& out)
{
    const Cell& cell = document.cell(encoder, task);
    const Measured& difference = cell.difference;
    markup::draw_estimate(out, axis, difference, y, markup::dot_of(cell));
    text(out, left + plot_width + value_width - 4, y + 4, "e t",
         (difference.value > 0 ? "+" : "") +
             number(difference.value, document.tasks[task].decimals) + markup::marks_of(cell));
}

void figure(const Document& document,
            double left,
            std::size_t task,
            const std::string& reference,
            std::string& out)
{
    const Task& t = document.tasks[task];
    auto rows = rows_of(document, task, reference);
    const std::size_t all = rows.size();
    rows.resize(std::min(all, most_plotted));
    markup::Range range;
    range.add(0);
    for (const std::size_t encoder : rows)
        range.add(document.cell(encoder, task).difference);
    const double right = left + plot_width;
    const Axis axis(range.low(), range.high(), left, right, 4);
    std::vector<std::string> names;
    names.reserve(rows.size());
    for (const std::size_t encoder : rows)
        names.push_back(document.encoders[encoder].name);
    const markup::RowLabels labels(names, top, row_height);
    const double bottom = labels.bottom() + 4;
    append(out, "<figure><figcaption><b>{}</b> · differences to {}",
           markup::escape(markup::marked_name(t)), markup::escape(reference));
    if (!std::isnan(t.detectable))
        append(out, " · detectable {}", markup::detectable(t));
    if (all > rows.size())
        append(out, " · the {} nearest of {}", rows.size(), all);
    if (!t.population.empty())
        append(out, "<br/>about {}", markup::escape(t.population));
    out += "</figcaption>";
    markup::open_svg(out, right + value_width, bottom + 36,
                     markup::marked_name(t) + ": differences to " + reference,
                     "intervals hold for all rows together");
    markup::draw_axis(out, {left, right, top, bottom}, axis, "difference, " + t.unit);
    append(out, "<path class=\"ref\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", axis.at(0), top, bottom);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        labels.draw(out, i, left - 8, document.cell(rows[i], task).is_near_best() ? "b" : "");
        draw_row(document, rows[i], task, axis, left, labels.middle(i), out);
    }
    out += "</svg></figure>\n";
}

/// Mean ranks on a line, and bars over those that cannot be told apart (Demšar 2006, figure 1), turned
/// on its side so that any number of names can be read.
void rank_diagram(const RankDiagram& diagram, double left, std::string& out)
{
    // As wide as the other plots, which fit a phone; with many groups the bars take what they need.
    const double bars = 10 * static_cast<double>(diagram.groups.size()) + 12;
    const double right = left + std::max(plot_width - bars, plot_width / 2);
    const Axis axis(1, static_cast<double>(diagram.encoders.size()), left, right, 4);
    const markup::RowLabels labels(diagram.encoders, top, row_height);
    const double bottom = labels.bottom() + 4;
    append(out, "<figure><figcaption>{}</figcaption>", markup::escape(diagram.caption));
    markup::open_svg(out, right + bars + value_width, bottom + 36, "Mean rank over the tasks",
                     "bars join encoders that cannot be told apart");
    markup::draw_axis(out, {left, right, top, bottom}, axis, "mean rank");
    for (std::size_t at = 0; at < diagram.encoders.size(); ++at) {
        labels.draw(out, at, left - 8, "");
        append(out, "<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.6\"/>",
               axis.at(diagram.mean_ranks[at]), labels.middle(at));
        text(out, right + bars + value_width - 4, labels.middle(at) + 4, "e t",
             number(diagram.mean_ranks[at], 2));
    }
    for (std::size_t group = 0; group < diagram.groups.size(); ++group) {
        const auto& [first, last] = diagram.groups[group];
        append(out, "<path class=\"whisker\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>",
               right + 12 + 10 * static_cast<double>(group), labels.middle(first) - 6,
               labels.middle(last) + 6);
    }
    out += "</svg></figure>\n";
}

} // namespace differing
} // namespace

void verdict(const Document& document, std::string& out)
{
    if (document.verdict.empty())
        return;
    out += "<section class=\"verdict\" aria-label=\"Verdict\"><h2>Verdict</h2><ul>";
    for (const std::string& sentence : document.verdict)
        markup::append(out, "<li>{}</li>", markup::escape(sentence));
    out += "</ul></section>";
}

void differences(const Document& document, std::string& out)
{
    std::string groups;
    const double left = differing::name_width(document);
    const double width = left + differing::plot_width + differing::value_width;
    for (const TaskGroup& group : groups_of(document)) {
        std::string figures;
        for (std::size_t task = group.first; task < group.end; ++task)
            for (const std::string& reference : differing::references_of(document, task))
                differing::figure(document, left, task, reference, figures);
        if (!figures.empty())
            markup::append(groups,
                           "<h3>{}</h3><div class=\"figures\" style=\"--figure:{:.0f}px\">{}</div>",
                           markup::escape(group.name), 0.85 * width, figures);
    }
    if (!document.ranks.encoders.empty()) {
        markup::append(groups,
                       "<h3>Over the tasks</h3><div class=\"figures\" style=\"--figure:{:.0f}px\">",
                       0.85 * width);
        differing::rank_diagram(document.ranks, left, groups);
        groups += "</div>";
    }
    if (groups.empty())
        return;
    markup::open_section(
        out, "differences", "Differences to the best",
        "Whoever is not the best of a task, and how far from it, on the same items, where "
        "there is a verdict. "
        "The intervals of a task hold together, with 95 % confidence: one that does "
        "not reach zero (open circle) tells its encoder from the best.");
    out += groups + "</section>";
}

} // namespace senteval::report::sections
