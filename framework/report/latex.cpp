// Tables for LaTeX.
#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace senteval::report {
namespace {

struct Spelling {
    std::string_view sign, command;
};

constexpr std::array spellings = {
    Spelling{"±", "$\\pm$"},       Spelling{"†", "\\dag{}"},
    Spelling{"−", "$-$"},          Spelling{"≤", "$\\le$"},
    Spelling{"≥", "$\\ge$"},       Spelling{"≈", "$\\approx$"},
    Spelling{"×", "$\\times$"},    Spelling{"ρ", "$\\rho$"},
    Spelling{"<", "\\textless{}"}, Spelling{">", "\\textgreater{}"},
    Spelling{"|", "\\textbar{}"},  Spelling{"\\", "\\textbackslash{}"},
    Spelling{"~", "\\~{}"},        Spelling{"^", "\\^{}"},
    Spelling{"&", "\\&"},          Spelling{"%", "\\%"},
    Spelling{"$", "\\$"},          Spelling{"#", "\\#"},
    Spelling{"_", "\\_"},          Spelling{"{", "\\{"},
    Spelling{"}", "\\}"}};

/// The first cell of a line: `\\` and \midrule before it would take "[" for the beginning of a length.
std::string guarded(const std::string& text)
{
    return text.starts_with('[') || text.starts_with('*') ? "{}" + text : text;
}

/// What is printed small, on a line of its own below the values: beside them few tasks would fill a page.
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

} // namespace senteval::report
