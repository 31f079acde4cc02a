// labels.hpp -- names beside a plot, with room for all of each: long ones stand on several lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace senteval::report::markup {

/// Pixels that the text takes at most in the plots' sans-serif: the widths of a font that is wider than most,
/// since the reader's is not known.
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
