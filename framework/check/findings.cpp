#include "check/findings.hpp"

#include "check/encoder_header.hpp"
#include "check/rules.hpp"
#include "core/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
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

constexpr std::size_t indent = 16;

/// Words in lines of `columns`, further lines indented.
std::string wrapped(std::string_view text, std::size_t columns)
{
    std::string lines;
    std::size_t column = indent;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (column > indent && column + 1 + end > columns) {
            lines.append("\n").append(indent, ' ');
            column = indent;
        } else if (column > indent) {
            lines.append(" ");
            ++column;
        }
        lines.append(text.substr(0, end));
        column += end;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string to_text(const EncoderFindings& encoder, std::size_t columns)
{
    std::string text = encoder.id.empty() ? "the library\n" : encoder.id + "\n";
    for (const Finding& one : encoder.broken)
        text += fmt::format("  broken {:>5}  {}\n{:{}}{}\n", one.rule,
                            wrapped(text_of(one.rule), columns), "", indent,
                            wrapped(one.shown + ": " + one.detail, columns));
    if (!encoder.skipped.empty())
        text += fmt::format("  skipped       {}\n", wrapped(encoder.skipped, columns));
    for (const NotTried& one : encoder.not_tried)
        text += fmt::format("  skipped{:>5} {}\n", one.rule, wrapped(one.why, columns));
    if (!encoder.kept.empty())
        text += fmt::format("  kept          {}\n",
                            wrapped(fmt::format("{}", fmt::join(encoder.kept, " ")), columns));
    return text;
}

core::Json to_json(const EncoderFindings& encoder)
{
    core::Json rules = core::Json::array();
    for (const Rule& rule : all_rules()) {
        core::Json entry = {{"rule", rule.number}, {"text", rule.text}};
        const auto of_rule = [&](const auto& one) { return one.rule == rule.number; };
        const auto broken = std::ranges::find_if(encoder.broken, of_rule);
        const auto not_tried = std::ranges::find_if(encoder.not_tried, of_rule);
        if (broken != encoder.broken.end()) {
            entry["outcome"] = "broken";
            entry["case"] = broken->shown;
            entry["detail"] = broken->detail;
        } else if (not_tried != encoder.not_tried.end()) {
            entry["outcome"] = "skipped";
            entry["why"] = not_tried->why;
        } else if (std::ranges::find(encoder.kept, rule.number) != encoder.kept.end()) {
            entry["outcome"] = "kept";
        } else {
            continue;
        }
        rules.push_back(std::move(entry));
    }
    return {{"id", encoder.id}, {"skipped", encoder.skipped}, {"rules", std::move(rules)}};
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

Result LibraryFindings::result() const
{
    if (std::ranges::any_of(encoders, [](const auto& one) { return !one.broken.empty(); }))
        return Result::broken;
    return std::ranges::any_of(encoders, &EncoderFindings::is_untried) ? Result::untried
                                                                       : Result::kept;
}

std::string to_text(const LibraryFindings& findings, std::size_t columns)
{
    std::size_t broken = 0;
    std::string text;
    for (const EncoderFindings& encoder : findings.encoders) {
        text += to_text(encoder, columns);
        broken += encoder.broken.size();
    }
    if (broken > 0)
        return text + fmt::format("{} {} broken. The rules stand in encoder.h.\n", broken,
                                  broken == 1 ? "rule is" : "rules are");
    const auto untried = std::ranges::count_if(findings.encoders, &EncoderFindings::is_untried);
    return text + (untried == 0 ? "Nothing that was tried is broken.\n"
                                : fmt::format("Nothing was found, but {} could not be tried.\n",
                                              untried == 1 ? "one encoder"
                                                           : fmt::format("{} encoders", untried)));
}

core::Json to_json(const LibraryFindings& findings)
{
    const Result result = findings.result();
    core::Json encoders = core::Json::array();
    for (const EncoderFindings& encoder : findings.encoders)
        encoders.push_back(to_json(encoder));
    return {{"library", findings.library},
            {"outcome", result == Result::broken    ? "broken"
                        : result == Result::untried ? "untried"
                                                    : "kept"},
            {"encoders", std::move(encoders)}};
}

} // namespace senteval::check
