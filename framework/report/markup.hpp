// markup.hpp -- small pieces of HTML and SVG that the sections of the report are made of.
#pragma once

#include "base/nan.hpp"
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
    double value = base::nan;
    stats::Interval interval{base::nan, base::nan};

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

/// SVG text. `classes` as in the style sheet: "s" start, "m" middle, "e" end anchored, ...
void text(std::string& out, double x, double y, std::string_view classes, std::string_view content);

/// A heading of a table that does not sort.
struct Head {
    std::string label;
    bool is_text = false; ///< left-aligned
};

/// Opens a scrolling table with a heading for each column, the first of which names the rows.
void open_table(std::string& out, std::string_view label, const std::vector<Head>& columns);
void close_table(std::string& out);

/// A name in a heading of a table: broken after signs that join words, never in a number, and before capitals. It keeps the direction
/// of its writing to itself.
std::string row_name(std::string_view name);

/// `<section id=...><h2>title</h2>` with an explanation below; close with "</section>".
void open_section(std::string& out,
                  std::string_view id,
                  std::string_view title,
                  std::string_view explanation);

} // namespace senteval::report::markup
