#include "report/table.hpp"

#include <senteval/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace senteval::report {

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

} // namespace senteval::report
