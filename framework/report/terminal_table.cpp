#include "report/table.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace senteval::report {
namespace {

constexpr std::size_t gap = 2; // between columns

std::string plain(const TextCell& cell)
{
    return one_line(cell.small.empty() ? cell.text : cell.text + " " + cell.small);
}

std::vector<std::size_t> widths_of(const TextTable& table)
{
    std::vector<std::size_t> widths(table.front().size());
    for (const auto& line : table)
        for (std::size_t c = 0; c < line.size(); ++c)
            widths[c] = std::max(widths[c], display_width(plain(line[c])));
    return widths;
}

std::size_t sum_of(const std::vector<std::size_t>& widths)
{
    return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
}

std::string aligned(const std::string& text, std::size_t width, bool left)
{
    if (left)
        return padded(text, width);
    return std::string(width - std::min(width, display_width(text)), ' ') + text;
}

std::size_t longest_word(const std::string& text)
{
    std::size_t longest = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        longest = std::max(longest, display_width(std::string_view(text).substr(at, end - at)));
        at = end + 1;
    }
    return longest;
}

/// The widths with headings folded at their words; the first column as it is.
std::vector<std::size_t> folded_widths(const TextTable& table)
{
    std::vector<std::size_t> widths(table.front().size());
    for (std::size_t c = 0; c < widths.size(); ++c)
        for (std::size_t r = 0; r < table.size(); ++r) {
            const std::string text = plain(table[r][c]);
            widths[c] =
                std::max(widths[c], r == 0 && c > 0 ? longest_word(text) : display_width(text));
        }
    return widths;
}

/// Some columns of a table, the first of which always is the table's.
struct Block {
    std::vector<std::size_t> columns;
    std::vector<std::size_t> widths;
};

/// One line of the table, in as many as its cells need: headings stand at the bottom, the rest at the top.
void print_line(const std::vector<TextCell>& line,
                const Block& block,
                bool is_heading,
                bool bold,
                std::string& out)
{
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t at = 0; at < block.columns.size(); ++at) {
        cells.push_back(
            folded(plain(line[block.columns[at]]), std::max<std::size_t>(block.widths[at], 1)));
        height = std::max(height, cells.back().size());
    }
    for (std::size_t row = 0; row < height; ++row) {
        for (std::size_t at = 0; at < cells.size(); ++at) {
            const std::size_t above = is_heading ? height - cells[at].size() : 0;
            const bool is_empty = row < above || row - above >= cells[at].size();
            std::string field =
                aligned(is_empty ? "" : cells[at][row - above], block.widths[at], at == 0);
            if (bold && line[block.columns[at]].bold && !is_empty)
                field = "\x1b[1m" + field + "\x1b[0m";
            out += (at == 0 ? "" : std::string(gap, ' ')) + field;
        }
        while (out.ends_with(' '))
            out.pop_back();
        out += '\n';
    }
}

std::string print(const TextTable& table, const std::vector<Block>& blocks, bool bold)
{
    std::string out;
    for (const Block& block : blocks) {
        out += out.empty() ? "" : "\n";
        for (std::size_t r = 0; r < table.size(); ++r) {
            print_line(table[r], block, r == 0, bold, out);
            if (r == 0)
                out += std::string(sum_of(block.widths), '-') + '\n';
        }
    }
    return out;
}

Block whole(std::vector<std::size_t> widths)
{
    Block block{std::vector<std::size_t>(widths.size()), std::move(widths)};
    std::iota(block.columns.begin(), block.columns.end(), std::size_t{0});
    return block;
}

/// Blocks of columns of which none is wider than `width`. A group of columns is divided only where it is wider itself.
std::vector<Block>
blocks_of(const TextTable& table, std::size_t width, std::span<const std::size_t> groups)
{
    std::vector<std::size_t> widths = folded_widths(table);
    const std::size_t others = sum_of(widths) - widths.front();
    // The names get what the others leave, as long as that is enough for names.
    const std::size_t least = std::min(widths.front(), std::max<std::size_t>(width / 3, 1));
    widths.front() = std::min(widths.front(),
                              others + least > width ? std::max(width / 2, least) : width - others);
    const std::size_t room = width > widths.front() + gap ? width - widths.front() - gap : 1;
    std::vector<Block> blocks;
    std::size_t used = width;
    for (std::size_t c = 1; c < widths.size();) {
        std::size_t end = c + 1;
        std::size_t needed = std::min(widths[c], room);
        for (; !groups.empty() && end < widths.size() && groups[end] == groups[c]; ++end)
            needed += gap + std::min(widths[end], room);
        if (needed > room) { // as many columns of the group as fit
            end = c + 1;
            needed = std::min(widths[c], room);
        }
        if (blocks.empty() || used + gap + needed > width) {
            blocks.push_back({{0}, {widths.front()}});
            used = widths.front();
        }
        for (; c < end; ++c) {
            blocks.back().columns.push_back(c);
            blocks.back().widths.push_back(std::min(widths[c], room));
        }
        used += gap + needed;
    }
    return blocks.empty() ? std::vector{whole({std::min(widths.front(), width)})} : blocks;
}

} // namespace

std::string
to_terminal(const TextTable& table, const TerminalStyle& style, std::span<const std::size_t> groups)
{
    const std::vector<std::size_t> widths = widths_of(table);
    return print(table,
                 sum_of(widths) <= style.width || !style.folds
                     ? std::vector{whole(widths)}
                     : blocks_of(table, style.width, groups),
                 style.bold);
}

} // namespace senteval::report
