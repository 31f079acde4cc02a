#include "report/markup.hpp"

#include "report/wrapping.hpp"

#include <senteval/printable.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace senteval::report::markup {

std::string escape(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const char c = text.front();
        const std::string_view entity = c == '&'    ? "&amp;"
                                        : c == '<'  ? "&lt;"
                                        : c == '>'  ? "&gt;"
                                        : c == '"'  ? "&quot;"
                                        : c == '\'' ? "&#39;"
                                                    : "";
        if (entity.empty() && c != '\t' && c != '\n') {
            result += sdk::take_shown(text);
            continue;
        }
        result += entity.empty() ? std::string_view(&c, 1) : entity;
        text.remove_prefix(1);
    }
    return result;
}

std::string number(double value, int decimals)
{
    if (std::isnan(value))
        return "–";
    std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
    const bool zero = digits.find_first_of("123456789") == std::string::npos;
    return value < 0 && !zero ? "−" + digits : digits;
}

std::string thousands(std::size_t value)
{
    const std::string digits = std::to_string(value);
    std::string result;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0)
            result += "\u202F";
        result += digits[i];
    }
    return result;
}

Axis::Axis(double low, double high, double first, double last, int wanted_ticks)
    : low_(low), high_(high), first_(first), last_(last)
{
    if (!(high > low)) {
        const double around = std::max(std::abs(low) * 0.05, 1e-3);
        low_ = low - around;
        high_ = low + around;
    }
    const double margin = (high_ - low_) * 0.04;
    low_ -= margin;
    high_ += margin;
    const double raw = (high_ - low_) / wanted_ticks;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double nice : {5.0, 2.0, 1.0})
        if (nice * power >= 0.75 * raw)
            step = nice * power;
    decimals_ = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    for (double tick = std::ceil(low_ / step); tick * step <= high_ + 1e-9 * step; ++tick)
        ticks_.push_back(tick * step);
}

double Axis::at(double value) const
{
    if (std::isinf(value)) // an interval without an end
        return value > 0 ? last_ : first_;
    return first_ + (value - low_) / (high_ - low_) * (last_ - first_);
}

void Range::add(double value)
{
    if (!std::isfinite(value))
        return;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
}

void Range::add(const Estimate& estimate)
{
    add(estimate.value);
    add(estimate.interval.low);
    add(estimate.interval.high);
}

void draw_axis(std::string& out, const PlotArea& area, const Axis& axis, std::string_view title)
{
    for (const double tick : axis.ticks()) {
        append(out, "<path class=\"grid\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>", axis.at(tick),
               area.top, area.bottom);
        text(out, axis.at(tick), area.bottom + 14, "m t q", number(tick, axis.tick_decimals()));
    }
    append(out, "<path class=\"axis\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", area.left, area.bottom,
           area.right);
    text(out, (area.left + area.right) / 2, area.bottom + 29, "m t q", title);
}

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

void open_svg(std::string& out,
              double width,
              double height,
              std::string_view title,
              std::string_view description)
{
    append(out,
           "<svg viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
           "style=\"min-width:{4:.0f}px\" role=\"img\" aria-label=\"{2}. {3}\"><title>{2}</title>",
           width, height, escape(title), escape(description), 0.85 * width);
}

void text(std::string& out, double x, double y, std::string_view classes, std::string_view content)
{
    append(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>", x, y, classes,
           escape(content));
}

void marker(std::string& out, std::size_t series, double x, double y)
{
    constexpr std::array<std::string_view, 6> shapes = {
        "m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0z",
        "m-3.3-3.3h6.6v6.6h-6.6z",
        "m0-4.6l4.2 7.4h-8.4z",
        "m0-4.4l4.4 4.4l-4.4 4.4l-4.4-4.4z",
        "m0 4.6l4.2-7.4h-8.4z",
        "m-3.5-3.5l7 7m0-7l-7 7"};
    const std::size_t shape = series % shapes.size();
    append(out, "<path class=\"{} c{}{}\" d=\"M{:.1f} {:.1f}{}\"/>",
           shape + 1 == shapes.size() ? "cross" : "k", series % 8,
           series % 12 < shapes.size() ? "" : " hollow", x, y, shapes[shape]);
}

void open_table(std::string& out, std::string_view label, const std::vector<Head>& columns)
{
    append(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><thead><tr>",
        escape(label));
    for (const Head& column : columns)
        append(out, "<th scope=\"col\"{}>{}</th>", column.is_text ? " class=\"name\"" : "",
               escape(column.label));
    out += "</tr></thead><tbody>";
}

void close_table(std::string& out)
{
    out += "</tbody></table></div>";
}

std::string row_name(std::string_view name)
{
    constexpr std::string_view joints = "-_/=,.:;+|&";
    const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
    std::string result = "<bdi class=\"name\">";
    std::size_t begin = 0;
    for (std::size_t at = 1; at < name.size(); ++at)
        if (joints.find(name[at - 1]) != std::string_view::npos ||
            (is_lower(name[at - 1]) && name[at] >= 'A' && name[at] <= 'Z')) {
            result += escape(name.substr(begin, at - begin)) + "<wbr>";
            begin = at;
        }
    return result + escape(name.substr(begin)) + "</bdi>";
}

void open_section(std::string& out,
                  std::string_view id,
                  std::string_view title,
                  std::string_view explanation)
{
    append(out, "\n<section id=\"{}\" aria-labelledby=\"{}-h\"><h2 id=\"{}-h\">{}</h2>", id, id, id,
           escape(title));
    if (!explanation.empty())
        append(out, "<p class=\"explain\">{}</p>", escape(explanation));
}

namespace {

constexpr double line_height = 13;
constexpr std::size_t most_columns = 26; ///< of a line

} // namespace

double text_width(std::string_view text)
{
    constexpr double column = 8.6;
    return column * static_cast<double>(display_width(text));
}

RowLabels::RowLabels(const std::vector<std::string>& names, double top, double row_height)
    : edges_{top}
{
    for (const std::string& name : names) {
        lines_.push_back(folded(name, most_columns));
        edges_.push_back(
            edges_.back() +
            std::max(row_height, line_height * static_cast<double>(lines_.back().size()) + 5));
    }
}

double RowLabels::width_of(const std::vector<std::string>& names, double least)
{
    double width = least;
    for (const std::string& name : names)
        for (const std::string& line : folded(name, most_columns))
            width = std::max(width, text_width(line));
    return width;
}

double RowLabels::middle(std::size_t row) const
{
    return (edges_[row] + edges_[row + 1]) / 2;
}

void RowLabels::draw(std::string& out,
                     std::size_t row,
                     double right,
                     std::string_view classes) const
{
    const auto& lines = lines_[row];
    double y = middle(row) + 4 - line_height * (static_cast<double>(lines.size()) - 1) / 2;
    for (const std::string& line : lines) {
        text(out, right, y, classes.empty() ? "e" : fmt::format("e {}", classes), line);
        y += line_height;
    }
}

} // namespace senteval::report::markup
