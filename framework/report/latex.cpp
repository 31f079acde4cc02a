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

/// Some columns of a table, by number.
using Columns = std::vector<std::size_t>;

/// What is printed small, on a line of its own below the values: beside them few tasks would fill a page.
std::string line_of_small(const std::vector<TextCell>& row, const Columns& columns)
{
    if (std::ranges::all_of(columns, [&](std::size_t c) { return row[c].small.empty(); }))
        return "";
    std::string line = " \\\\\n";
    for (const std::size_t c : columns) {
        line += c == 0 ? "" : " & ";
        if (!row[c].small.empty())
            line += fmt::format("{{\\scriptsize {}}}", latex_escaped(row[c].small));
    }
    return line;
}

/// Points that a column takes, roughly: of a digit in the sizes of text and of \scriptsize, and of the space
/// around a column.
double width_of(const TextTable& table, std::size_t column)
{
    constexpr double digit = 5;
    constexpr double small_digit = 4;
    constexpr double around = 12;
    double widest = 0;
    for (const auto& row : table)
        widest = std::max({widest, digit * static_cast<double>(display_width(row[column].text)),
                           small_digit * static_cast<double>(display_width(row[column].small))});
    return widest + around;
}

/// The columns, the first before each part, in as many parts as a page's width needs.
std::vector<Columns> parts_of(const TextTable& table)
{
    constexpr double page = 345; // of the class article
    std::vector<Columns> parts = {{0}};
    const double first = width_of(table, 0);
    double used = first;
    for (std::size_t c = 1; c < table.front().size(); ++c) {
        const double width = width_of(table, c);
        if (used + width > page && parts.back().size() > 1) {
            parts.push_back({0});
            used = first;
        }
        parts.back().push_back(c);
        used += width;
    }
    return parts;
}

std::string tabular(const TextTable& table, const Columns& columns)
{
    std::string text =
        fmt::format("\\begin{{tabular}}{{l{}}}\n\\toprule\n", std::string(columns.size() - 1, 'r'));
    for (std::size_t r = 0; r < table.size(); ++r) {
        for (const std::size_t c : columns) {
            const TextCell& cell = table[r][c];
            const std::string field = latex_escaped(cell.text);
            text += (c == 0 ? "" : " & ") +
                    (cell.bold ? fmt::format("\\textbf{{{}}}", field) : guarded(field));
        }
        text += line_of_small(table[r], columns);
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

std::string to_latex(const TextTable& given, const std::string& caption)
{
    const bool turns = parts_of(given).size() > parts_of(turned(given)).size();
    const TextTable table = turns ? turned(given) : given;
    std::string body;
    for (const Columns& columns : parts_of(table)) {
        body += body.empty() ? fmt::format("\\begin{{table}}\n\\centering\n\\caption{{{}}}\n",
                                           latex_escaped(caption))
                             : "\n\\begin{table}\n\\centering\nThe same, continued\n\n\\medskip\n";
        body += tabular(table, columns) + "\\end{table}\n";
    }
    return preamble(body) + body;
}

} // namespace senteval::report
