#include "check/findings.hpp"

#include "check/rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace senteval::check {
namespace {

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
