#include "host/option_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <string_view>

namespace senteval::host {

std::string kind_of_value(const CLI::Option& option)
{
    const std::string full = option.get_type_name();
    return full.substr(0, full.find_first_of(": "));
}

bool takes_several(const CLI::Option& option)
{
    return option.get_allow_extra_args() && option.get_expected_max() > 1;
}

std::string names_of(const CLI::Option& option)
{
    std::string names;
    for (const std::string& letter : option.get_snames())
        names += "-" + letter + ", ";
    if (!option.get_lnames().empty())
        return names + "--" + option.get_lnames().front(); // the others are spellings of it
    return names.substr(0, names.size() - 2);
}

std::string placeholder(const CLI::Option& option)
{
    return kind_of_value(option) + (takes_several(option) ? "..." : "");
}

std::string full_description(const CLI::Option& option)
{
    std::string description = option.get_description();
    if (option.get_required())
        description += " (required)";
    if (!option.get_default_str().empty())
        description += (option.get_items_expected_min() == 0 ? " (alone: " : " (default: ") +
                       option.get_default_str() + ")";
    return description;
}

std::vector<const CLI::Option*> shown_options(const CLI::App& command)
{
    return command.get_options(
        [](const CLI::Option* option) { return !option->get_group().empty(); });
}

std::vector<const CLI::App*> shown_commands(const CLI::App& command)
{
    return command.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
}

std::vector<std::string> choices_of(const CLI::Option& option)
{
    // CLI::IsMember says "{a,b}" of itself, too.
    const std::string full = option.get_type_name();
    const std::size_t open = full.find(":{");
    const std::size_t close = full.find('}', open == std::string::npos ? 0 : open);
    if (open == std::string::npos || close == std::string::npos)
        return {};
    return CLI::detail::split(full.substr(open + 2, close - open - 2), ',');
}

CLI::Validator known_choices(const std::vector<std::string>& choices)
{
    return {[](const std::string&) { return std::string(); },
            fmt::format("{{{}}}", fmt::join(choices, ","))};
}

CLI::Validator a_number()
{
    return {[](const std::string& text) {
                return std::isnan(std::strtod(text.c_str(), nullptr)) ? text + " is no number"
                                                                      : std::string();
            },
            ""};
}

} // namespace senteval::host
