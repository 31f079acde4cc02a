// labels.hpp -- names beside a plot, with room for all of each: long ones stand on several lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::report::markup {

/// At most how many pixels the text takes in the plots' sans-serif of 11.5 px, bold or not: the widths of a
/// font that is wider than most, since the reader's is not known.
double text_width(std::string_view text);

/// The text in lines of at most `width` pixels: broken between words, after signs that join words (-, _, /, =, ...)
/// and between ideographs; within a word only where the word alone is wider. Never empty.
std::vector<std::string> lines_of(std::string_view text, double width);

/// Names at the left of a plot's rows. A row is as high as the lines of its name ask for.
class RowLabels {
public:
    static constexpr double widest = 180; ///< pixels of a line

    /// Rows begin at `top`, each at least `row_height` high.
    RowLabels(const std::vector<std::string>& names, double top, double row_height);

    /// Pixels that the widest of the names takes, and at least `least`.
    static double width_of(const std::vector<std::string>& names, double least);

    [[nodiscard]] double middle(std::size_t row) const;
    [[nodiscard]] double top(std::size_t row) const { return edges_[row]; }
    [[nodiscard]] double height(std::size_t row) const { return edges_[row + 1] - edges_[row]; }
    [[nodiscard]] double bottom() const { return edges_.back(); }

    /// The row's name, which ends at `right`; `classes`: of its text beside "e".
    void draw(std::string& out, std::size_t row, double right, std::string_view classes) const;

private:
    std::vector<std::vector<std::string>> lines_;
    std::vector<double> edges_; ///< tops of the rows, and the bottom of the last
};

/// The heading of a row of a table: an element that is no wider than a share of the page, in which the name
/// breaks as in lines_of(), and which keeps the direction of its writing to itself.
std::string row_name(std::string_view name);

} // namespace senteval::report::markup
