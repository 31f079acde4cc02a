#include "check/rules.hpp"

#include "check/encoder_header.hpp"
#include "core/ascii.hpp"

#include <vector>

namespace senteval::check {
namespace {

/// A line of the comment without what makes it one: " *     4.2   text" gives "4.2   text".
std::string_view stripped(std::string_view line)
{
    const std::size_t star = line.find('*');
    if (star == std::string_view::npos)
        return {};
    line.remove_prefix(star + 1);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return line;
}

/// Length of the number that a rule begins with: "12.3"; 0 where there is none.
std::size_t number_length(std::string_view line)
{
    std::size_t at = 0;
    std::size_t points = 0;
    for (; at < line.size() && (core::is_ascii_digit(line[at]) || line[at] == '.'); ++at)
        points += line[at] == '.' ? 1 : 0;
    const bool is_number = points == 1 && line.front() != '.' && line[at - 1] != '.' &&
                           line.substr(at).starts_with("  ");
    return is_number ? at : 0;
}

std::vector<Rule> rules_in(std::string_view header)
{
    std::vector<Rule> rules;
    bool inside = false;
    while (!header.empty()) {
        const std::size_t end = std::min(header.find('\n'), header.size());
        const std::string_view line = stripped(header.substr(0, end));
        header.remove_prefix(std::min(end + 1, header.size()));
        if (line == "/")
            break; // the end of the comment that states them
        const std::size_t length = line.empty() ? 0 : number_length(line);
        if (length > 0) {
            const std::string_view text = line.substr(length);
            rules.push_back({std::string(line.substr(0, length)),
                             std::string(text.substr(text.find_first_not_of(' ')))});
            inside = true;
        } else if (line.empty()) {
            inside = false;
        } else if (inside) {
            rules.back().text.append(" ").append(line);
        }
    }
    return rules;
}

} // namespace

std::span<const Rule> all_rules()
{
    static const std::vector<Rule> rules = rules_in(encoder_header);
    return rules;
}

std::string_view text_of(std::string_view rule)
{
    for (const Rule& one : all_rules())
        if (one.number == rule)
            return one.text;
    return {};
}

} // namespace senteval::check
