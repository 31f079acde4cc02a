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
