#include "report/table.hpp"

#include "base/terminal.hpp"
#include "report/markup.hpp"

#include <senteval/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <ranges>
#include <span>
#include <string_view>
#include <vector>

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
            widths[c] = std::max(widths[c], base::display_width(plain(line[c])));
    return widths;
}

std::size_t sum_of(const std::vector<std::size_t>& widths)
{
    return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
}

std::string aligned(const std::string& text, std::size_t width, bool left)
{
    if (left)
        return base::padded(text, width);
    return std::string(width - std::min(width, base::display_width(text)), ' ') + text;
}

std::size_t longest_word(const std::string& text)
{
    std::size_t longest = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t blank = text.find(' ', at);
        const bool is_last = text.find_first_not_of(' ', blank) == std::string::npos;
        const std::size_t end = is_last ? text.size() : blank;
        longest =
            std::max(longest, base::display_width(std::string_view(text).substr(at, end - at)));
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
            widths[c] = std::max(widths[c],
                                 r == 0 && c > 0 ? longest_word(text) : base::display_width(text));
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

struct Spelling {
    std::string_view sign, command;
};

constexpr std::array spellings = {Spelling{"▲", "$^{\\uparrow}$"},
                                  Spelling{"▼", "$^{\\downarrow}$"},
                                  Spelling{"±", "$\\pm$"},
                                  Spelling{"†", "\\dag{}"},
                                  Spelling{"−", "$-$"},
                                  Spelling{"≤", "$\\le$"},
                                  Spelling{"≥", "$\\ge$"},
                                  Spelling{"≈", "$\\approx$"},
                                  Spelling{"×", "$\\times$"},
                                  Spelling{"ρ", "$\\rho$"},
                                  Spelling{"<", "\\textless{}"},
                                  Spelling{">", "\\textgreater{}"},
                                  Spelling{"|", "\\textbar{}"},
                                  Spelling{"\\", "\\textbackslash{}"},
                                  Spelling{"~", "\\~{}"},
                                  Spelling{"^", "\\^{}"},
                                  Spelling{"&", "\\&"},
                                  Spelling{"%", "\\%"},
                                  Spelling{"$", "\\$"},
                                  Spelling{"#", "\\#"},
                                  Spelling{"_", "\\_"},
                                  Spelling{"{", "\\{"},
                                  Spelling{"}", "\\}"}};

/// The first cell of a line: `\\` and \midrule before it would take "[" for the beginning of a length.
std::string guarded(const std::string& text)
{
    return text.starts_with('[') || text.starts_with('*') ? "{}" + text : text;
}

/// A line of small print below the values: beside them few tasks would fill a page.
std::string line_of_small(const std::vector<TextCell>& row)
{
    if (std::ranges::all_of(row, [](const TextCell& cell) { return cell.small.empty(); }))
        return "";
    std::string line = " \\\\\n";
    for (std::size_t c = 0; c < row.size(); ++c) {
        line += c == 0 ? "" : " & ";
        if (!row[c].small.empty())
            line += fmt::format("{{\\scriptsize {}}}", latex_escaped(row[c].small));
    }
    return line;
}

std::string tabular(const TextTable& table)
{
    std::string text = fmt::format("\\begin{{tabular}}{{l{}}}\n\\toprule\n",
                                   std::string(table.front().size() - 1, 'r'));
    for (std::size_t r = 0; r < table.size(); ++r) {
        for (std::size_t c = 0; c < table[r].size(); ++c) {
            const TextCell& cell = table[r][c];
            const std::string field = latex_escaped(cell.text);
            text += (c == 0 ? "" : " & ") +
                    (cell.bold ? fmt::format("\\textbf{{{}}}", field) : guarded(field));
        }
        text += line_of_small(table[r]);
        text += r == 0 ? " \\\\\n\\midrule\n" : " \\\\\n";
    }
    return text + "\\bottomrule\n\\end{tabular}\n";
}

} // namespace

std::vector<std::string> folded(std::string_view text, std::size_t columns)
{
    const std::string all = base::wrapped(text, columns, 0, base::LongWords::broken);
    std::vector<std::string> lines;
    for (std::size_t at = 0; at <= all.size();) {
        const std::size_t end = std::min(all.find('\n', at), all.size());
        lines.push_back(all.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

std::string one_line(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return sdk::printable(text);
}

std::string markdown_escaped(const std::string& text)
{
    std::string escaped;
    for (const char c : one_line(text))
        escaped += c == '<'   ? std::string("&lt;")
                   : c == '&' ? std::string("&amp;")
                   : std::string_view("\\|*_`$~").find(c) != std::string_view::npos
                       ? std::string{'\\', c}
                       : std::string(1, c);
    return escaped;
}

std::string to_markdown(const TextTable& table)
{
    std::string out;
    for (std::size_t r = 0; r < table.size(); ++r) {
        out += '|';
        for (const TextCell& cell : table[r]) {
            const std::string field = markdown_escaped(cell.text);
            out += cell.bold ? " **" + field + "**" : " " + field;
            out += cell.small.empty() ? " |" : " " + markdown_escaped(cell.small) + " |";
        }
        out += '\n';
        if (r == 0) {
            out += "|:---|";
            for (std::size_t c = 1; c < table[r].size(); ++c)
                out += "---:|";
            out += '\n';
        }
    }
    return out;
}

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

std::string latex_escaped(const std::string& given)
{
    // An empty line would end the paragraph, and the table.
    const std::string shown = one_line(given);
    std::string escaped;
    for (std::string_view text = shown; !text.empty();) {
        const auto* spelling = std::ranges::find_if(
            spellings, [&](const Spelling& one) { return text.starts_with(one.sign); });
        const bool is_letter = spelling == spellings.end();
        escaped += is_letter ? text.substr(0, 1) : spelling->command;
        text.remove_prefix(is_letter ? 1 : spelling->sign.size());
    }
    return escaped;
}

std::string to_latex(const TextTable& table, const LatexText& text)
{
    std::string out;
    for (const std::string& comment : text.comments)
        out += "% " + one_line(comment) + '\n';
    return out + fmt::format("% \\usepackage{{booktabs}}\n% \\usepackage[T1]{{fontenc}}\n"
                             "\\begin{{table}}\n\\centering\n\\caption{{{}}}\n\\label{{{}}}\n{}"
                             "\\end{{table}}\n",
                             latex_escaped(text.caption), text.label, tabular(table));
}

void to_html(const TextTable& table, std::string_view label, std::string& out)
{
    std::vector<markup::Head> heads;
    for (const TextCell& cell : table.front())
        heads.push_back({cell.text});
    markup::open_table(out, label, heads);
    for (const auto& line : table | std::views::drop(1)) {
        markup::append(out, "<tr><th scope=\"row\">{}</th>", markup::row_name(line.front().text));
        for (const TextCell& cell : line | std::views::drop(1))
            markup::append(out, "<td>{}<small>{}</small></td>", markup::escape(cell.text),
                           markup::escape(cell.small));
        out += "</tr>";
    }
    markup::close_table(out);
}

} // namespace senteval::report
