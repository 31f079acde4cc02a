// Tables for LaTeX.
#include "report/table.hpp"

#include <senteval/printable.hpp>

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

constexpr std::array spellings = {Spelling{"±", "$\\pm$"},
                                  Spelling{"†", "\\dag{}"},
                                  Spelling{"−", "$-$"},
                                  Spelling{"≤", "$\\le$"},
                                  Spelling{"≥", "$\\ge$"},
                                  Spelling{"≈", "$\\approx$"},
                                  Spelling{"×", "$\\times$"},
                                  Spelling{"∞", "$\\infty$"},
                                  Spelling{"→", "$\\to$"},
                                  Spelling{"α", "$\\alpha$"},
                                  Spelling{"β", "$\\beta$"},
                                  Spelling{"γ", "$\\gamma$"},
                                  Spelling{"δ", "$\\delta$"},
                                  Spelling{"ε", "$\\epsilon$"},
                                  Spelling{"λ", "$\\lambda$"},
                                  Spelling{"μ", "$\\mu$"},
                                  Spelling{"π", "$\\pi$"},
                                  Spelling{"ρ", "$\\rho$"},
                                  Spelling{"σ", "$\\sigma$"},
                                  Spelling{"τ", "$\\tau$"},
                                  Spelling{"Δ", "$\\Delta$"},
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
                                  Spelling{"}", "\\}"},
                                  Spelling{"-", "-{}"},
                                  Spelling{"`", "`{}"},
                                  Spelling{"'", "'{}"},
                                  Spelling{",", ",{}"}}; // which double would be other signs

/// Letters and signs that pdflatex has by itself, in the encoding T1.
bool is_in_fonts(char32_t code)
{
    struct Range {
        char32_t first, last;
    };
    constexpr std::array ranges = {
        Range{0x0020, 0x007E}, Range{0x00A1, 0x0125}, Range{0x0128, 0x0137}, Range{0x0139, 0x013E},
        Range{0x0141, 0x0148}, Range{0x014A, 0x0165}, Range{0x0168, 0x017E}, Range{0x2010, 0x2016},
        Range{0x2018, 0x201A}, Range{0x201C, 0x201E}, Range{0x2020, 0x2022}, Range{0x2026, 0x2026},
        Range{0x20AC, 0x20AC}};
    return std::ranges::any_of(
        ranges, [&](const Range& range) { return code >= range.first && code <= range.last; });
}

/// Shows the letter where the fonts of XeLaTeX or LuaLaTeX have it, and its number in pdflatex.
constexpr std::string_view letter_command = "\\sentevalletter";

std::string other_letter(std::string_view letter)
{
    constexpr char32_t joiner = 0x200D;
    if (sdk::code_point(letter) == joiner) // of emoji, which are numbers here
        return "";
    return fmt::format("{}{{{}}}{{{:04X}}}", letter_command, letter,
                       static_cast<std::uint32_t>(sdk::code_point(letter)));
}

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

/// What has to stand before a document, or a table, that has these lines in it.
std::string preamble(const std::string& body)
{
    std::string head = "% \\usepackage{booktabs}\n% \\usepackage[T1]{fontenc}\n";
    if (body.find(letter_command) != std::string::npos)
        head +=
            fmt::format("% pdflatex has not all of these letters: xelatex and lualatex have, in a "
                        "font that has\n\\providecommand{{{}}}[2]{{\\ifdefined\\Umathchar "
                        "#1\\else\\texttt{{U+#2}}\\fi}}\n",
                        letter_command);
    return head;
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
        if (spelling != spellings.end()) {
            const bool is_doubled = text.substr(spelling->sign.size()).starts_with(spelling->sign);
            const bool joins =
                std::string_view("-`',").find(text.front()) != std::string_view::npos;
            escaped += joins && !is_doubled ? spelling->sign : spelling->command;
            text.remove_prefix(spelling->sign.size());
            continue;
        }
        const std::string_view letter = text.substr(0, sdk::character_length(text));
        escaped +=
            is_in_fonts(sdk::code_point(letter)) ? std::string(letter) : other_letter(letter);
        text.remove_prefix(letter.size());
    }
    return escaped;
}

std::string to_latex(const TextTable& table, const LatexText& text)
{
    const std::string body = fmt::format(
        "\\begin{{table}}\n\\centering\n\\caption{{{}}}\n\\label{{{}}}\n{}\\end{{table}}\n",
        latex_escaped(text.caption), text.label, tabular(table));
    std::string comments;
    for (const std::string& comment : text.comments)
        comments += "% " + one_line(comment) + '\n';
    return comments + preamble(body) + body;
}

} // namespace senteval::report
