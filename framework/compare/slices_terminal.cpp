#include "compare/slices.hpp"
#include "core/counted.hpp"
#include "report/wrapping.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace senteval::compare {
namespace {

std::string measured_text(const report::Measured& score, int decimals)
{
    if (!score.known())
        return "-";
    if (!score.has_interval())
        return fmt::format("{:.{}f}", score.value, decimals);
    return fmt::format("{:.{}f} [{:.{}f}, {:.{}f}]", score.value, decimals, score.low, decimals,
                       score.high, decimals);
}

std::string difference_text(const report::Measured& difference, int decimals)
{
    if (!difference.known())
        return "";
    return (difference.value < 0 ? "" : "+") + measured_text(difference, decimals);
}

std::string paragraph(const std::string& text, std::size_t columns, std::size_t indent)
{
    return report::wrapped(text, columns, indent, report::LongWords::broken) + '\n';
}

/// The columns of a block's rows: label, score, difference.
struct RowColumns {
    std::size_t label = 0;
    std::size_t score = 0;
    std::size_t difference = 0;
};

RowColumns row_columns(const report::Slices& block)
{
    RowColumns widest;
    const auto widen = [](std::size_t& width, const std::string& text) {
        width = std::max(width, report::display_width(text));
    };
    for (std::size_t row = 0; row < block.encoders.size(); ++row) {
        widen(widest.label, block.encoders[row].name);
        for (std::size_t part = 0; part < block.parts.size(); ++part) {
            widen(widest.score, measured_text(block.encoders[row].values[part], block.decimals));
            widen(widest.difference,
                  difference_text(block.differences[row].values[part], block.decimals));
        }
    }
    return widest;
}

void print_part(const report::Slices& block,
                std::size_t part,
                const RowColumns& widest,
                std::size_t columns,
                std::string& out)
{
    constexpr std::size_t indent = 4;
    const std::size_t gaps = widest.difference > 0 ? 5 : 2;
    const bool on_one_line =
        indent + widest.label + widest.score + widest.difference + gaps <= columns;
    for (std::size_t row = 0; row < block.encoders.size(); ++row) {
        const report::Series& series = block.encoders[row];
        const std::string score = measured_text(series.values[part], block.decimals);
        const std::string difference =
            difference_text(block.differences[row].values[part], block.decimals);
        out += std::string(indent, ' ');
        if (on_one_line)
            out += report::padded(series.name, widest.label) + "  ";
        else
            out += paragraph(series.name, columns, indent) + std::string(indent + 2, ' ');
        out +=
            difference.empty() ? score : report::padded(score, widest.score) + "   " + difference;
        out += '\n';
    }
}

} // namespace

std::string slices_to_terminal(const std::vector<report::Slices>& slices, std::size_t columns)
{
    std::string out;
    for (const report::Slices& block : slices) {
        const bool has_others = block.encoders.size() > 1;
        out += paragraph(fmt::format("{}{} by {}   ({}{})", block.task,
                                     block.is_doubtful ? "*" : "", block.by, block.unit,
                                     has_others ? "; differences to " + block.reference : ""),
                         columns, 2);
        const RowColumns widest = row_columns(block);
        for (std::size_t part = 0; part < block.parts.size(); ++part) {
            out += "  " + paragraph(fmt::format("{}   {}", block.parts[part],
                                                core::counted(block.items[part], "item")),
                                    columns, 4);
            print_part(block, part, widest, columns, out);
        }
        if (!block.note.empty())
            out += "  " + paragraph(block.note, columns, 2);
        out += '\n';
    }
    return out;
}

} // namespace senteval::compare
