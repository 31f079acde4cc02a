#include "report/markup.hpp"

#include <senteval/printable.hpp>

#include <algorithm>
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

void open_svg(std::string& out,
              double width,
              double height,
              std::string_view title,
              std::string_view description)
{
    append(out,
           "<svg viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
           "style=\"min-width:{4:.0f}px;max-width:{5:.0f}px\" role=\"img\" aria-label=\"{2}. "
           "{3}\"><title>{2}</title>",
           width, height, escape(title), escape(description), 0.85 * width, 1.4 * width);
}

void text(std::string& out, double x, double y, std::string_view classes, std::string_view content)
{
    append(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>", x, y, classes,
           escape(content));
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
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    std::string result = "<bdi class=\"name\">";
    std::size_t begin = 0;
    for (std::size_t at = 1; at < name.size(); ++at)
        if ((joints.find(name[at - 1]) != std::string_view::npos && !is_digit(name[at])) ||
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

} // namespace senteval::report::markup
