#include "report/table.hpp"

#include <senteval/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

namespace senteval::report {
namespace {

/// A cell is one line, whatever a name contains, and as wide as what is shown of it.
std::string one_line(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return sdk::printable(text);
}

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

/// Two spaces between columns.
std::size_t width_of(const TextTable& table)
{
    const auto widths = widths_of(table);
    return std::accumulate(widths.begin(), widths.end(), 2 * (widths.size() - 1));
}

TextTable turned(const TextTable& table)
{
    TextTable result(table.front().size());
    for (std::size_t c = 0; c < result.size(); ++c)
        for (const auto& line : table)
            result[c].push_back(line[c]);
    result.front().front() = {}; // it named what now stands above
    return result;
}

std::string aligned(const std::string& text, std::size_t width, bool left)
{
    if (left)
        return padded(text, width);
    return std::string(width - std::min(width, display_width(text)), ' ') + text;
}

std::string markdown_field(const std::string& text)
{
    std::string escaped;
    for (const char c : one_line(text))
        escaped += c == '|'   ? std::string("\\|")
                   : c == '<' ? std::string("&lt;")
                              : std::string(1, c);
    return escaped;
}

} // namespace

std::size_t display_width(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t width)
{
    return text + std::string(width - std::min(width, display_width(text)), ' ');
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent)
{
    std::string result;
    std::size_t column = indent;
    const auto break_line = [&] {
        result += "\n" + std::string(indent, ' ');
        column = indent;
    };
    while (!text.empty()) {
        if (text.front() == '\n') {
            break_line();
            text.remove_prefix(1);
            continue;
        }
        const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
        const std::size_t end = std::min(text.find_first_of(" \n", blanks), text.size());
        const std::string_view word = text.substr(blanks, end - blanks);
        const std::size_t gap = column == indent && indent > 0 ? 0 : blanks;
        if (column > indent && column + gap + display_width(word) > columns)
            break_line();
        else
            result.append(gap, ' ');
        result += word;
        column += gap + display_width(word);
        text.remove_prefix(end);
    }
    return result;
}

std::string csv_field(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string latex_escaped(const std::string& given)
{
    static constexpr std::pair<std::string_view, std::string_view> signs[] = {
        {"±", "$\\pm$"},       {"†", "\\dag{}"},         {"ρ", "$\\rho$"},    {"≤", "$\\le$"},
        {"<", "\\textless{}"}, {">", "\\textgreater{}"}, {"|", "\\textbar{}"}};
    const std::string text =
        one_line(given); // an empty line would end the paragraph, and the table
    std::string escaped;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        const auto* sign = std::find_if(std::begin(signs), std::end(signs), [&](const auto& one) {
            return std::string_view(text).substr(at).starts_with(one.first);
        });
        if (sign != std::end(signs)) {
            escaped += sign->second;
            at += sign->first.size() - 1;
            continue;
        }
        if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
            escaped += '\\';
        if (c == '\\')
            escaped += "\\textbackslash{}";
        else if (c == '~' || c == '^')
            escaped += fmt::format("\\{}{{}}", c);
        else
            escaped += c;
    }
    return escaped;
}

std::string to_terminal(TextTable table, TerminalStyle style)
{
    if (width_of(table) > style.width)
        if (TextTable other = turned(table); width_of(other) < width_of(table))
            table = std::move(other);
    const auto widths = widths_of(table);
    std::string out;
    for (std::size_t r = 0; r < table.size(); ++r) {
        for (std::size_t c = 0; c < widths.size(); ++c) {
            std::string field = aligned(plain(table[r][c]), widths[c], c == 0);
            if (style.bold && table[r][c].bold)
                field = "\x1b[1m" + field + "\x1b[0m";
            out += (c == 0 ? "" : "  ") + field;
        }
        while (out.ends_with(' '))
            out.pop_back();
        out += '\n';
        if (r == 0)
            out += std::string(width_of(table), '-') + '\n';
    }
    return out;
}

std::string to_markdown(const TextTable& table)
{
    std::string out;
    for (std::size_t r = 0; r < table.size(); ++r) {
        out += '|';
        for (const TextCell& cell : table[r]) {
            const std::string field = markdown_field(cell.text);
            out += cell.bold ? " **" + field + "**" : " " + field;
            out += cell.small.empty() ? " |" : " " + markdown_field(cell.small) + " |";
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

std::string to_latex(const TextTable& table, const std::string& caption)
{
    std::string out =
        fmt::format("% \\usepackage{{booktabs}}\n\\begin{{table}}\n\\centering\n\\caption{{{}}}\n"
                    "\\begin{{tabular}}{{l{}}}\n\\toprule\n",
                    latex_escaped(caption), std::string(table.front().size() - 1, 'r'));
    for (std::size_t r = 0; r < table.size(); ++r) {
        for (std::size_t c = 0; c < table[r].size(); ++c) {
            const TextCell& cell = table[r][c];
            const std::string text = latex_escaped(cell.text);
            out += (c == 0 ? "" : " & ") + (cell.bold ? fmt::format("\\textbf{{{}}}", text) : text);
            if (!cell.small.empty())
                out += fmt::format(" {{\\scriptsize {}}}", latex_escaped(cell.small));
        }
        out += r == 0 ? " \\\\\n\\midrule\n" : " \\\\\n";
    }
    return out + "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
}

} // namespace senteval::report
