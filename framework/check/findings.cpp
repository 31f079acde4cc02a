#include "check/findings.hpp"

#include "base/counted.hpp"
#include "base/terminal.hpp"
#include "check/encoder_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <regex>
#include <sstream>

namespace senteval::check {
namespace {

std::vector<Rule> rules_in(std::string_view header)
{
    static const std::regex first(R"( \*\s+(\d+\.\d+)\s\s+(.*))");
    static const std::regex further(R"( \*\s+(\S.*))");
    std::vector<Rule> rules;
    std::istringstream lines{std::string(header)};
    std::smatch match;
    bool inside = false;
    for (std::string line; std::getline(lines, line) && line != " */";) {
        if (std::regex_match(line, match, first)) {
            rules.push_back({match[1], match[2]});
            inside = true;
        } else if (inside && std::regex_match(line, match, further)) {
            rules.back().text += " " + match.str(1);
        } else {
            inside = false;
        }
    }
    return rules;
}

constexpr std::size_t indent = 16;

/// `text` in lines of `columns`, further lines indented; its own lines stay.
std::string wrapped(const std::string& text, std::size_t columns)
{
    std::string lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);) {
        const std::size_t begin =
            indent + (lines.empty() ? 0 : std::min(line.find_first_not_of(' '), line.size()));
        if (!lines.empty())
            lines.append("\n").append(begin, ' ');
        lines += base::wrapped(line, columns, begin);
    }
    return lines;
}

std::string to_text(const EncoderFindings& encoder, std::size_t columns)
{
    std::string broken;
    std::string ended; // the end of the process is the consequence of something: it comes last
    std::map<std::string, std::string> skipped; // the rules, by the reason
    std::uint64_t kept = 0;
    for (const Rule& rule : all_rules()) {
        const auto found = encoder.rules.find(rule.number);
        if (found == encoder.rules.end())
            continue;
        const Finding& one = found->second;
        if (one.outcome == Outcome::broken)
            (rule.number == "6.7" ? ended : broken) += fmt::format(
                "  broken {:>5}  {}\n{:{}}{}\n", rule.number, wrapped(rule.text, columns), "",
                indent, wrapped(one.shown + ": " + one.detail, columns));
        else if (one.outcome == Outcome::skipped)
            skipped[one.detail] += rule.number + " ";
        else
            ++kept;
    }
    std::string text = (encoder.id.empty() ? "the library" : encoder.id) + "\n" + broken + ended;
    const auto add = [&](const char* word, const std::string& what) {
        if (!what.empty())
            text += fmt::format("  {:14}{}\n", word, wrapped(what, columns));
    };
    add("skipped", encoder.skipped);
    for (const auto& [why, rules] : skipped)
        add("skipped", rules + why);
    if (kept > 0)
        add("kept", base::counted(kept, "rule") + " (--format json has their numbers)");
    return text;
}

/// " Not tried: 12.1 12.2", of all encoders; nothing where all was tried.
std::string not_tried(const LibraryFindings& findings)
{
    std::string numbers;
    for (const Rule& rule : all_rules())
        if (std::ranges::any_of(findings.encoders, [&](const EncoderFindings& encoder) {
                const auto found = encoder.rules.find(rule.number);
                return found != encoder.rules.end() && found->second.outcome == Outcome::skipped;
            }))
            numbers += " " + rule.number;
    return numbers.empty() ? numbers : " Not tried:" + numbers + ".";
}

const char* name_of(Outcome outcome)
{
    constexpr std::array names{"kept", "skipped", "broken"};
    return names[static_cast<std::size_t>(outcome)];
}

base::Json to_json(const EncoderFindings& encoder)
{
    base::Json rules = base::Json::array();
    for (const Rule& rule : all_rules()) {
        const auto found = encoder.rules.find(rule.number);
        if (found == encoder.rules.end())
            continue;
        const Finding& one = found->second;
        base::Json entry = {
            {"rule", rule.number}, {"text", rule.text}, {"outcome", name_of(one.outcome)}};
        if (one.outcome == Outcome::broken)
            entry["case"] = one.shown;
        if (one.outcome != Outcome::kept)
            entry[one.outcome == Outcome::broken ? "detail" : "why"] = one.detail;
        rules.push_back(std::move(entry));
    }
    return {{"id", encoder.id}, {"skipped", encoder.skipped}, {"rules", std::move(rules)}};
}

bool is_untried(const EncoderFindings& encoder)
{
    // Chapter 1 is about the library's table alone.
    const bool is_tried = std::ranges::any_of(encoder.rules, [](const auto& one) {
        return one.second.outcome == Outcome::kept && !one.first.starts_with("1.");
    });
    return (!encoder.skipped.empty() || !is_tried) && !encoder.any_broken();
}

} // namespace

std::span<const Rule> all_rules()
{
    static const std::vector<Rule> rules = rules_in(encoder_header);
    return rules;
}

void EncoderFindings::add(const Finding& finding)
{
    const auto [known, is_new] = rules.try_emplace(finding.rule, finding);
    if (!is_new && known->second.outcome < finding.outcome)
        known->second = finding;
}

bool EncoderFindings::is_broken(const std::string& rule) const
{
    const auto found = rules.find(rule);
    return found != rules.end() && found->second.outcome == Outcome::broken;
}

bool EncoderFindings::any_broken() const
{
    return std::ranges::any_of(
        rules, [](const auto& one) { return one.second.outcome == Outcome::broken; });
}

Result LibraryFindings::result() const
{
    if (std::ranges::any_of(encoders, &EncoderFindings::any_broken))
        return Result::broken;
    return std::ranges::any_of(encoders, is_untried) ? Result::untried : Result::kept;
}

std::string to_text(const LibraryFindings& findings, std::size_t columns)
{
    std::string text;
    for (const EncoderFindings& encoder : findings.encoders)
        text += to_text(encoder, columns);
    switch (findings.result()) {
    case Result::broken:
        return text + "Rules of encoder.h are broken.\n";
    case Result::untried:
        return text + "What is skipped whole was not tried: that is no pass.\n";
    case Result::kept:
        break;
    }
    return text +
           base::wrapped("No rule that was tried is broken." + not_tried(findings), columns, 0) +
           "\n";
}

base::Json to_json(const LibraryFindings& findings)
{
    constexpr std::array outcomes{"kept", "untried", "broken"};
    base::Json encoders = base::Json::array();
    for (const EncoderFindings& encoder : findings.encoders)
        encoders.push_back(to_json(encoder));
    return {{"library", findings.library},
            {"outcome", outcomes[static_cast<std::size_t>(findings.result())]},
            {"encoders", std::move(encoders)}};
}

} // namespace senteval::check
