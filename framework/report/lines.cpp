#include "report/labels.hpp"
#include "report/markup.hpp"
#include "report/sections.hpp"

#include <algorithm>
#include <set>

namespace senteval::report::sections {
namespace {

using markup::append;
using markup::Axis;
using markup::number;
using markup::text;

/// Where a plot of lines is drawn.
struct LineBox {
    double width, left, right, top, bottom;
};
constexpr LineBox box = {400, 52, 392, 10, 210};

/// Of a part that a plot shows: at 50 the interval of an accuracy is up to 27 points wide.
constexpr std::size_t fewest_items = 50;

struct Plot {
    std::string title;
    std::string unit;
    std::string axis_title;
    int decimals = 2;
    std::vector<double> positions; ///< pixels
    std::vector<std::string> labels;
    const std::vector<Series>& series;
};

/// The same encoder has the same mark in every plot: its place in the document.
std::size_t style_of(const Document& document, const std::string& encoder)
{
    for (std::size_t i = 0; i < document.encoders.size(); ++i)
        if (document.encoders[i].name == encoder)
            return i;
    return document.encoders.size();
}

double longest_label(const Plot& plot)
{
    double longest = 0;
    for (const std::string& label : plot.labels)
        longest = std::max(longest, markup::text_width(label));
    return longest;
}

/// Labels that do not fit beside each other stand upright.
bool upright(const Plot& plot)
{
    for (std::size_t i = 0; i + 1 < plot.positions.size(); ++i)
        if (0.92 * longest_label(plot) > plot.positions[i + 1] - plot.positions[i])
            return true;
    return false;
}

/// Pixels below the axis that the labels take.
double label_space(const Plot& plot)
{
    return upright(plot) ? 12 + 0.92 * longest_label(plot) : 16;
}

void draw_label(const Plot& plot, std::size_t i, std::string& out)
{
    if (upright(plot))
        append(out,
               "<text class=\"e t q\" transform=\"translate({:.1f} {}) rotate(-90)\">{}</text>",
               plot.positions[i] + 4, box.bottom + 8, markup::escape(plot.labels[i]));
    else
        text(out, plot.positions[i], box.bottom + 16, "m t q", plot.labels[i]);
}

void draw_frame(const Plot& plot, const Axis& axis, std::string& out)
{
    for (const double tick : axis.ticks()) {
        append(out, "<path class=\"grid\" d=\"M{} {:.1f}H{}\"/>", box.left, axis.at(tick),
               box.right);
        text(out, box.left - 6, axis.at(tick) + 4, "e t q", number(tick, axis.tick_decimals()));
    }
    append(out, "<path class=\"axis\" d=\"M{0} {1}V{2}H{3}\"/>", box.left, box.top, box.bottom,
           box.right);
    for (std::size_t i = 0; i < plot.positions.size(); ++i) {
        append(out, "<path class=\"axis\" d=\"M{:.1f} {}v4\"/>", plot.positions[i], box.bottom);
        draw_label(plot, i, out);
    }
    text(out, (box.left + box.right) / 2, box.bottom + label_space(plot) + 17, "m t q",
         plot.axis_title);
    append(out, "<text class=\"m t q\" transform=\"translate(11 {}) rotate(-90)\">{}</text>",
           (box.top + box.bottom) / 2, markup::escape(plot.unit));
}

void draw_series(const Plot& plot,
                 const Series& series,
                 std::size_t style,
                 double shift,
                 const Axis& axis,
                 std::string& out)
{
    std::string path;
    for (std::size_t i = 0; i < series.values.size(); ++i) {
        const Measured& m = series.values[i];
        if (!m.known())
            continue;
        const double x = plot.positions[i] + shift;
        append(path, "{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, axis.at(m.value));
        if (m.has_interval())
            append(out, "<path class=\"band c{}\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", style % 8, x,
                   axis.at(m.low), axis.at(m.high));
    }
    append(out, "<path class=\"line c{} d{}\" d=\"{}\"/>", style % 8, style % 4, path);
    for (std::size_t i = 0; i < series.values.size(); ++i)
        if (series.values[i].known())
            markup::marker(out, style, plot.positions[i] + shift, axis.at(series.values[i].value));
}

/// One legend for the plots of a section: the encoders that any of them shows.
void legend(const Document& document, const std::set<std::string>& shown, std::string& out)
{
    out += "<ul class=\"legend\">";
    for (std::size_t style = 0; style < document.encoders.size(); ++style) {
        const std::string& name = document.encoders[style].name;
        if (!shown.contains(name))
            continue;
        append(out,
               "<li><svg width=\"30\" height=\"13\" aria-hidden=\"true\"><path class=\"line c{} "
               "d{}\" d=\"M0 6.5H30\"/>",
               style % 8, style % 4);
        markup::marker(out, style, 15, 6.5);
        append(out, "</svg>{}</li>", markup::escape(name));
    }
    out += "</ul>";
}

template <typename Parts>
std::set<std::string> encoders_in(const Parts& parts)
{
    std::set<std::string> names;
    for (const auto& part : parts)
        for (const Series& line : part.encoders)
            names.insert(line.name);
    return names;
}

std::string summary(const Plot& plot)
{
    std::string result;
    for (const Series& line : plot.series)
        if (!line.values.empty())
            append(result, "{}: {} to {}; ", line.name,
                   number(line.values.front().value, plot.decimals),
                   number(line.values.back().value, plot.decimals));
    return result;
}

void figure(const Document& document,
            const Plot& plot,
            const std::string& caption,
            std::string& out)
{
    markup::Range range;
    for (const Series& line : plot.series)
        for (const Measured& m : line.values)
            range.add(m);
    if (range.empty())
        return;
    const Axis axis(range.low(), range.high(), box.bottom, box.top);
    append(out, "<figure><figcaption><b>{}</b> · {}</figcaption>", markup::escape(plot.title),
           markup::escape(caption));
    markup::open_svg(out, box.width, box.bottom + label_space(plot) + 24,
                     plot.title + ", " + caption, summary(plot));
    draw_frame(plot, axis, out);
    const double step = std::min(5.0, 24.0 / static_cast<double>(plot.series.size()));
    double shift = -step * (static_cast<double>(plot.series.size()) - 1) / 2;
    for (const Series& line : plot.series) {
        draw_series(plot, line, style_of(document, line.name), shift, axis, out);
        shift += step;
    }
    out += "</svg></figure>\n";
}

/// "Δ −1.2 (−2.0 to −0.4)", bold where it does not reach zero.
void difference_text(const Measured& difference, int decimals, std::string& out)
{
    if (!difference.known())
        return;
    if (!difference.has_interval()) {
        append(out, "<small>Δ {}</small>", number(difference.value, decimals));
        return;
    }
    const bool told = difference.low > 0 || difference.high < 0;
    append(out, "<small>{0}Δ {2} ({3} to {4}){1}</small>", told ? "<b>" : "", told ? "</b>" : "",
           number(difference.value, decimals), number(difference.low, decimals),
           number(difference.high, decimals));
}

void slice_table(const Slices& slices, std::string& out)
{
    append(
        out,
        "<details><summary>Numbers: {}, by {}{}</summary><div class=\"scroll\" tabindex=\"0\" "
        "role=\"region\" aria-label=\"Numbers\"><table><thead><tr><th scope=\"col\">Encoder</th>",
        markup::escape(slices.task + (slices.is_doubtful ? "*" : "")), markup::escape(slices.by),
        slices.reference.empty() ? "" : "; Δ: difference to " + markup::escape(slices.reference));
    for (std::size_t part = 0; part < slices.parts.size(); ++part)
        append(out, "<th scope=\"col\">{}<small>n = {}</small></th>",
               markup::escape(slices.parts[part]), markup::thousands(slices.items[part]));
    out += "</tr></thead><tbody>";
    for (std::size_t row = 0; row < slices.encoders.size(); ++row) {
        append(out, "<tr><th scope=\"row\">{}</th>", markup::row_name(slices.encoders[row].name));
        for (std::size_t part = 0; part < slices.parts.size(); ++part) {
            const Measured& m = slices.encoders[row].values[part];
            append(out, "<td>{}", number(m.value, slices.decimals));
            if (m.has_interval())
                append(out, "<small>{}–{}</small>", number(m.low, slices.decimals),
                       number(m.high, slices.decimals));
            if (row < slices.differences.size())
                difference_text(slices.differences[row].values[part], slices.decimals, out);
            out += "</td>";
        }
        out += "</tr>";
    }
    append(out, "</tbody></table></div><p>{}</p></details>", markup::escape(slices.note));
}

/// Without the parts that are too small for a plot.
Slices large_parts(const Slices& all)
{
    Slices large = all;
    large.parts.clear();
    large.items.clear();
    for (Series& line : large.encoders)
        line.values.clear();
    for (std::size_t part = 0; part < all.parts.size(); ++part) {
        if (all.items[part] < fewest_items)
            continue;
        large.parts.push_back(all.parts[part]);
        large.items.push_back(all.items[part]);
        for (std::size_t line = 0; line < all.encoders.size(); ++line)
            large.encoders[line].values.push_back(all.encoders[line].values[part]);
    }
    return large;
}

/// Nothing where fewer than two parts are left to compare.
void slice_figure(const Document& document, const Slices& slices, std::string& out)
{
    if (slices.parts.size() < 2)
        return;
    const std::string what = slices.by.substr(0, slices.by.find(';')); // whose, the caption says
    Plot plot{slices.task + (slices.is_doubtful ? "*" : ""),
              slices.unit,
              what,
              slices.decimals,
              {},
              {},
              slices.encoders};
    const auto count = static_cast<double>(slices.parts.size());
    for (std::size_t i = 0; i < slices.parts.size(); ++i) {
        plot.positions.push_back(box.left +
                                 (box.right - box.left) * (static_cast<double>(i) + 0.5) / count);
        plot.labels.push_back(slices.parts[i]);
    }
    figure(document, plot, "by " + slices.by, out);
}

} // namespace

void dimension_curves(const Document& document, std::string& out)
{
    if (document.dimension_curves.empty())
        return;
    markup::open_section(out, "dimension", "Score over dimension",
                         "Encoders brought to the same dimensions before anything is learned from "
                         "their embeddings. The axis is logarithmic; bars are 95 % intervals, and "
                         "points that belong to one dimension stand beside each other.");
    legend(document, encoders_in(document.dimension_curves), out);
    out += "<div class=\"figures\">";
    for (const DimensionCurves& curves : document.dimension_curves) {
        Plot plot{markup::marked_name(document, curves.task),
                  curves.unit,
                  "dimension",
                  curves.decimals,
                  {},
                  {},
                  curves.encoders};
        if (curves.dimensions.empty())
            continue;
        const Axis scale(std::log2(static_cast<double>(curves.dimensions.front())),
                         std::log2(static_cast<double>(curves.dimensions.back())), box.left + 10,
                         box.right - 10);
        for (const std::size_t dimension : curves.dimensions) {
            plot.positions.push_back(scale.at(std::log2(static_cast<double>(dimension))));
            plot.labels.push_back(markup::thousands(dimension));
        }
        figure(document, plot, curves.projection, out);
    }
    out += "</div></section>";
}

void slices(const Document& document, std::string& out)
{
    if (document.slices.empty())
        return;
    markup::open_section(
        out, "slices", "Slices",
        fmt::format("Scores on parts of the test sets, with 95 % intervals. Plots show parts of at "
                    "least {} items, the tables below them all. Correlations within a part are "
                    "lower than over the whole where the part has less variety of gold scores.",
                    fewest_items));
    legend(document, encoders_in(document.slices), out);
    std::string figures;
    std::string tables;
    for (const Slices& all : document.slices) {
        slice_figure(document, large_parts(all), figures);
        slice_table(all, tables);
    }
    append(out, "<div class=\"figures\">{}</div>{}</section>", figures, tables);
}

} // namespace senteval::report::sections
