// markup.hpp -- small pieces of HTML and SVG that the sections of the report are made of.
#pragma once

#include "report/document.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::report::markup {

/// Text made safe for content and quoted attributes. Control characters, which HTML has no place for, and those
/// that turn the direction of a page are shown by their numbers.
std::string escape(std::string_view text);

/// The same, with a place to break before each word of a name like SICKEntailment or my_own_task.
std::string escape_breakable(std::string_view text);

/// A number with a true minus sign; an en dash for NaN.
std::string number(double value, int decimals);

/// The difference that the task's comparisons could show, or the range of them.
std::string detectable(const Task& task);

/// "500", or "450 to 2 300" where rows were tested on other sets.
std::string items_of(const Task& task);

/// 12345 as "12 345", with narrow no-break spaces.
std::string thousands(std::size_t value);

template <typename... Args>
void append(std::string& out, fmt::format_string<Args...> format, Args&&... args)
{
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// A linear axis from data to pixels, with round tick values.
class Axis {
public:
    /// Covers `low` ... `high` and a margin; `first` and `last` are the pixels of the ends.
    Axis(double low, double high, double first, double last, int wanted_ticks = 5);

    [[nodiscard]] double at(double value) const;
    [[nodiscard]] const std::vector<double>& ticks() const noexcept { return ticks_; }
    [[nodiscard]] int tick_decimals() const noexcept { return decimals_; }

private:
    double low_;
    double high_;
    double first_;
    double last_;
    int decimals_ = 0;
    std::vector<double> ticks_;
};

/// Smallest and largest of many values, ignoring NaN.
class Range {
public:
    void add(double value);
    void add(const Measured& measured);
    [[nodiscard]] bool empty() const noexcept { return !(low_ <= high_); }
    [[nodiscard]] double low() const noexcept { return low_; }
    [[nodiscard]] double high() const noexcept { return high_; }

private:
    double low_ = std::numeric_limits<double>::infinity();
    double high_ = -std::numeric_limits<double>::infinity();
};

/// Opens an <svg> that a screen reader announces by title and description; close with "</svg>".
void open_svg(std::string& out,
              double width,
              double height,
              std::string_view title,
              std::string_view description);

/// Where a plot with its values on a horizontal axis has its data.
struct PlotArea {
    double left;
    double right;
    double top;
    double bottom;
};

/// Grid lines, the axis with its numbers, and what it shows; all of it ends 36 below the area.
void draw_axis(std::string& out, const PlotArea& area, const Axis& axis, std::string_view title);

enum class Dot {
    filled, ///< the best, or not told from it
    open,   ///< told from the best
    small   ///< no verdict
};

Dot dot_of(const Cell& cell);

/// A value at a height, with its interval where it has one.
void draw_estimate(std::string& out, const Axis& axis, const Measured& estimate, double y, Dot dot);

/// The task's name, with "*" where its data may not be the published set.
std::string marked_name(const Task& task);

/// The same by the name, which may be of no task of the document.
std::string marked_name(const Document& document, const std::string& task);

/// The marks of a value that goes with doubts or no verdict: "*", "*?", ...
std::string marks_of(const Cell& cell);

/// SVG text. `classes` as in the style sheet: "s" start, "m" middle, "e" end anchored, ...
void text(std::string& out, double x, double y, std::string_view classes, std::string_view content);

/// The mark of a series: six shapes, so that lines are told apart without colour.
void marker(std::string& out, std::size_t series, double x, double y);

/// `<section id=...><h2>title</h2>` with an explanation below; close with "</section>".
void open_section(std::string& out,
                  std::string_view id,
                  std::string_view title,
                  std::string_view explanation);

} // namespace senteval::report::markup
