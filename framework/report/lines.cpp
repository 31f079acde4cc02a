// Scores over dimension, and on parts of a test set.
#include "core/counted.hpp"
#include "report/markup.hpp"
#include "report/sections.hpp"
#include "report/words.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace senteval::report::sections {
namespace {

using markup::append;
using markup::Axis;
using markup::Estimate;
using markup::number;
using markup::text;

/// Where a plot of lines is drawn.
struct LineBox {
    double width, left, right, top, bottom;
};
constexpr LineBox box = {400, 52, 392, 10, 210};

struct Series {
    std::size_t row = 0; ///< of the comparison: the same encoder has the same mark in every plot
    std::vector<Estimate> values;
};

struct CurvePlot {
    std::string title; ///< of the task
    std::string what;  ///< after it in the caption
    std::string unit;
    std::vector<double> positions; ///< pixels
    std::vector<std::string> labels;
    std::vector<Series> series;
};

void draw_series(
    const CurvePlot& plot, const Series& series, double shift, const Axis& axis, std::string& out)
{
    std::string path;
    std::string marks;
    for (std::size_t i = 0; i < series.values.size(); ++i) {
        const Estimate& value = series.values[i];
        if (!value.known())
            continue;
        const double x = plot.positions[i] + shift;
        append(path, "{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, axis.at(value.value));
        if (value.has_interval())
            append(out, "<path class=\"band c{}\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", series.row % 8, x,
                   axis.at(value.interval.low), axis.at(value.interval.high));
        markup::marker(marks, series.row, x, axis.at(value.value));
    }
    append(out, "<path class=\"line c{} d{}\" d=\"{}\"/>{}", series.row % 8, series.row % 4, path,
           marks);
}

void draw(const CurvePlot& plot, std::string& out)
{
    markup::Range range;
    for (const Series& line : plot.series)
        for (const Estimate& value : line.values)
            range.add(value);
    if (range.empty() || plot.positions.size() < 2)
        return;
    const Axis axis(range.low(), range.high(), box.bottom, box.top);
    std::string inside;
    for (const double tick : axis.ticks()) {
        append(inside, "<path class=\"grid\" d=\"M{} {:.1f}H{}\"/>", box.left, axis.at(tick),
               box.right);
        text(inside, box.left - 6, axis.at(tick) + 4, "e t q", number(tick, axis.tick_decimals()));
    }
    append(inside, "<path class=\"axis\" d=\"M{0} {1}V{2}H{3}\"/>", box.left, box.top, box.bottom,
           box.right);
    for (std::size_t i = 0; i < plot.positions.size(); ++i) {
        append(inside, "<path class=\"axis\" d=\"M{:.1f} {}v4\"/>", plot.positions[i], box.bottom);
        text(inside, plot.positions[i], box.bottom + 16, "m t q", plot.labels[i]);
    }
    text(inside, (box.left + box.right) / 2, box.bottom + 33, "m t q", "dimension");
    append(inside, "<text class=\"m t q\" transform=\"translate(11 {}) rotate(-90)\">{}</text>",
           (box.top + box.bottom) / 2, markup::escape(plot.unit));
    const double step = std::min(5.0, 24.0 / static_cast<double>(plot.series.size()));
    double shift = -step * (static_cast<double>(plot.series.size()) - 1) / 2;
    for (const Series& line : plot.series) {
        draw_series(plot, line, shift, axis, inside);
        shift += step;
    }
    append(out, "<figure><figcaption><b>{}</b> · {}</figcaption>", markup::escape(plot.title),
           markup::escape(plot.what));
    markup::open_svg(out, box.width, box.bottom + 40, plot.title + ", " + plot.what, "");
    out += inside + "</svg></figure>\n";
}

/// One legend for the plots of a section: the encoders that any of them shows.
void legend(const Page& page, const std::vector<CurvePlot>& plots, std::string& out)
{
    std::set<std::size_t> shown;
    for (const CurvePlot& plot : plots)
        for (const Series& line : plot.series)
            shown.insert(line.row);
    out += "<ul class=\"legend\">";
    for (const std::size_t row : shown) {
        append(out,
               "<li><svg width=\"30\" height=\"13\" aria-hidden=\"true\"><path class=\"line c{} "
               "d{}\" d=\"M0 6.5H30\"/>",
               row % 8, row % 4);
        markup::marker(out, row, 15, 6.5);
        append(out, "</svg>{}</li>", markup::escape(page.comparison.rows[row]));
    }
    out += "</ul>";
}

void figures(const Page& page, const std::vector<CurvePlot>& plots, std::string& out)
{
    legend(page, plots, out);
    out += "<div class=\"figures\">";
    for (const CurvePlot& plot : plots)
        draw(plot, out);
    out += "</div>";
}

/// An encoder whose vectors were projected to several dimensions.
struct Curve {
    std::size_t row = 0;                     ///< the encoder as it is, else its largest dimension
    std::map<std::size_t, std::size_t> rows; ///< of the comparison, by dimension
};

/// Encoders projected in one way. Each stands in its curve with its own dimension, too.
struct Projection {
    std::string kind; ///< "PCA", "random projection"
    std::vector<Curve> curves;
};

std::vector<Projection> projections_of(const Page& page)
{
    // By the way of projecting, and by what rows have in common that differ in the projection alone.
    std::map<std::string, std::map<std::string, Curve>> by_kind;
    const auto for_each_row = [&](const auto& visit) {
        for (std::size_t at = 0; at < page.comparison.rows.size(); ++at)
            if (const compare::Row* row = row_of(page, at)) {
                const std::string& projection = row->projection; // "@50 random"
                visit(at, projection.empty() ? "" : projection.substr(projection.find(' ') + 1),
                      row->encoder.substr(0, row->encoder.size() - projection.size() -
                                                 (projection.empty() ? 0 : 1)) +
                          '\n' + row->variant);
            }
    };
    for_each_row([&](std::size_t at, const std::string& kind, const std::string& base) {
        if (kind.empty())
            return;
        Curve& curve = by_kind[kind][base];
        curve.rows[page.comparison.dimensions[at]] = at;
        curve.row = curve.rows.rbegin()->second;
    });
    for_each_row([&](std::size_t at, const std::string& kind, const std::string& base) {
        for (auto& [way, curves] : by_kind)
            if (const auto curve = curves.find(base); kind.empty() && curve != curves.end()) {
                curve->second.row = at;
                curve->second.rows.try_emplace(page.comparison.dimensions[at], at);
            }
    });
    std::vector<Projection> projections;
    for (auto& [kind, curves] : by_kind) {
        projections.push_back({kind == "pca" ? "PCA" : kind + " projection", {}});
        for (auto& [base, curve] : curves)
            projections.back().curves.push_back(std::move(curve));
    }
    return projections;
}

CurvePlot dimension_plot(const compare::TaskComparison& task, const Projection& projection)
{
    const auto value_at = [&](const Curve& curve, std::size_t dimension) {
        const auto at = curve.rows.find(dimension);
        if (at == curve.rows.end())
            return Estimate{};
        const compare::Score& score = task.entries[at->second].score;
        return Estimate{score.value, score.interval};
    };
    std::set<std::size_t> dimensions;
    for (const Curve& curve : projection.curves)
        for (const auto& [dimension, row] : curve.rows)
            if (task.entries[row].has_value())
                dimensions.insert(dimension);
    CurvePlot plot{heading_of(task), projection.kind, task.metric.axis(), {}, {}, {}};
    if (dimensions.size() < 2)
        return plot;
    const Axis scale(std::log2(static_cast<double>(*dimensions.begin())),
                     std::log2(static_cast<double>(*dimensions.rbegin())), box.left + 10,
                     box.right - 10);
    for (const std::size_t dimension : dimensions) {
        plot.positions.push_back(scale.at(std::log2(static_cast<double>(dimension))));
        plot.labels.push_back(markup::thousands(dimension));
    }
    for (const Curve& curve : projection.curves) {
        plot.series.push_back({curve.row, {}});
        for (const std::size_t dimension : dimensions)
            plot.series.back().values.push_back(value_at(curve, dimension));
    }
    return plot;
}

void slice_table(const compare::Slices& slices, std::string& out)
{
    append(out, "<details><summary>{}{}, by {}</summary>", markup::escape(short_name(slices.task)),
           slices.has_data_warning ? "*" : "",
           markup::escape(slices.by + (slices.by_class ? ": found of the class, %" : "")));
    std::vector<markup::Head> heads{{"Encoder"}};
    for (std::size_t part = 0; part < slices.parts.size(); ++part)
        heads.push_back({fmt::format("{} (n = {})", slices.parts[part],
                                     markup::thousands(slices.items[part]))});
    markup::open_table(out, "Slices", heads);
    for (std::size_t row = 0; row < slices.rows.size(); ++row) {
        append(out, "<tr><th scope=\"row\">{}</th>", markup::row_name(slices.rows[row]));
        for (const auto& score : slices.scores[row])
            append(out, "<td>{}<small>{}</small></td>", short_number(score.value, slices.metric),
                   short_interval(score.interval, slices.metric));
        out += "</tr>";
    }
    markup::close_table(out);
    out += "</details>";
}

} // namespace

void dimension_curves(const Page& page, std::string& out)
{
    std::vector<CurvePlot> plots;
    for (const Projection& projection : projections_of(page))
        for (const compare::TaskComparison& task : page.comparison.tasks)
            if (CurvePlot plot = dimension_plot(task, projection); !plot.positions.empty())
                plots.push_back(std::move(plot));
    if (plots.empty())
        return;
    markup::open_section(out, "dimension", "Score over dimension",
                         "Encoders brought to the same dimensions before anything is learned from "
                         "their embeddings. The axis is logarithmic; bars are 95 % intervals.");
    figures(page, plots, out);
    out += "</section>";
}

void slices(const Page& page, std::string& out)
{
    if (page.slices.empty())
        return;
    markup::open_section(
        out, "slices", "Slices",
        "Scores on parts of the test sets, with 95 % intervals that are not adjusted for the "
        "number "
        "of parts. A correlation is lower where the gold scores of a part lie closer together: "
        "compare encoders within a part, not parts with each other.");
    for (const compare::Slices& one : page.slices)
        slice_table(one, out);
    out += "</section>";
}

} // namespace senteval::report::sections
