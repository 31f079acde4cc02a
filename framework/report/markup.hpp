// markup.hpp -- small pieces of HTML and SVG that the sections of the report are made of.
#pragma once

#include "core/nan.hpp"
#include "stats/interval.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::report::markup {

/// Text made safe for content and quoted attributes. Control characters, which HTML has no place for, and those
/// that turn the direction of a page are shown by their numbers.
std::string escape(std::string_view text);

/// A number with a true minus sign; an en dash for NaN.
std::string number(double value, int decimals);

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

/// A value with its interval; NaN: none.
struct Estimate {
    double value = core::nan;
    stats::Interval interval{core::nan, core::nan};

    [[nodiscard]] bool known() const { return !std::isnan(value); }
    [[nodiscard]] bool has_interval() const { return !std::isnan(interval.low); }
};

/// Smallest and largest of many values, ignoring NaN.
class Range {
public:
    void add(double value);
    void add(const Estimate& estimate);
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
    filled, ///< the best, or not significantly different from it
    open,   ///< significantly different
    small   ///< no verdict
};

/// A value at a height, with its interval where it has one.
void draw_estimate(std::string& out, const Axis& axis, const Estimate& estimate, double y, Dot dot);

/// SVG text. `classes` as in the style sheet: "s" start, "m" middle, "e" end anchored, ...
void text(std::string& out, double x, double y, std::string_view classes, std::string_view content);

/// The mark of a series: six shapes, so that lines are told apart without colour.
void marker(std::string& out, std::size_t series, double x, double y);

/// A heading of a table that does not sort.
struct Head {
    std::string label;
    bool is_text = false; ///< left-aligned
};

/// Opens a scrolling table with a heading for each column, the first of which names the rows.
void open_table(std::string& out, std::string_view label, const std::vector<Head>& columns);
void close_table(std::string& out);

/// A name in a heading of a table: broken after signs that join words, and before capitals. It keeps the direction
/// of its writing to itself.
std::string row_name(std::string_view name);

/// `<section id=...><h2>title</h2>` with an explanation below; close with "</section>".
void open_section(std::string& out,
                  std::string_view id,
                  std::string_view title,
                  std::string_view explanation);

/// Pixels that the text takes in the plots' sans-serif, of capitals: the reader's font is not known.
double text_width(std::string_view text);

/// Names at the left of a plot's rows. A row is as high as the lines of its name need.
class RowLabels {
public:
    /// Rows begin at `top`, each at least `row_height` high.
    RowLabels(const std::vector<std::string>& names, double top, double row_height);

    /// Pixels that the widest of the names takes, and at least `least`.
    static double width_of(const std::vector<std::string>& names, double least);

    [[nodiscard]] double middle(std::size_t row) const;
    [[nodiscard]] double top(std::size_t row) const { return edges_[row]; }
    [[nodiscard]] double height(std::size_t row) const { return edges_[row + 1] - edges_[row]; }
    [[nodiscard]] double bottom() const { return edges_.back(); }

    /// The row's name, which ends at `right`; `classes`: of its text beside "e".
    void draw(std::string& out, std::size_t row, double right, std::string_view classes = "") const;

private:
    std::vector<std::vector<std::string>> lines_;
    std::vector<double> edges_; ///< tops of the rows, and the bottom of the last
};

} // namespace senteval::report::markup
