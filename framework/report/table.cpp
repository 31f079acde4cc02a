#include "report/table.hpp"

#include <senteval/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace senteval::report {
namespace {

std::string markdown_field(const std::string& text)
{
    std::string escaped;
    for (const char c : one_line(text))
        escaped += c == '<' ? std::string("&lt;")
                   : std::string_view("|*`").find(c) != std::string_view::npos
                       ? std::string{'\\', c}
                       : std::string(1, c);
    return escaped;
}

} // namespace

std::string one_line(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return sdk::printable(text);
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
        {"±", "$\\pm$"},       {"†", "\\dag{}"},         {"ρ", "$\\rho$"},
        {"≤", "$\\le$"},       {"≈", "$\\approx$"},      {"≥", "$\\ge$"},
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
