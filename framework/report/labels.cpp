#include "report/labels.hpp"

#include "report/markup.hpp"
#include "report/wrapping.hpp"

#include <algorithm>
#include <array>

namespace senteval::report::markup {
namespace {

constexpr double font_size = 11.5;
constexpr double line_height = 13;
constexpr std::size_t most_columns = 26; ///< of a line

/// Hundredths of the font's size, from the blank on: rounded up from a bold sans-serif with wide letters.
constexpr std::array<unsigned char, 95> advances = {
    35, 46,  53, 84, 70, 101, 88, 31,  46, 46, 53, 84, 38, 42,  38, 37, 70, 70,  70,
    70, 70,  70, 70, 70, 70,  70, 40,  40, 84, 84, 84, 59, 100, 78, 77, 74, 84,  69,
    69, 83,  84, 38, 38, 78,  64, 100, 84, 86, 74, 86, 78, 73,  69, 82, 78, 111, 78,
    73, 73,  46, 37, 46, 84,  50, 50,  68, 72, 60, 72, 68, 44,  72, 72, 35, 35,  67,
    35, 105, 72, 69, 72, 72,  50, 60,  48, 72, 66, 93, 65, 66,  59, 72, 37, 72,  84};

} // namespace

double text_width(std::string_view text)
{
    double width = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7F)
            width += advances[byte - 0x20U];
        else if (byte >= 0xC0) // the first byte of a character; wide scripts begin at three bytes
            width += byte < 0xE0 ? 90 : byte < 0xF0 ? 112 : 145;
    }
    return width * font_size / 100;
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
