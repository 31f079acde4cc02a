#include "base/distinct_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace senteval::base {
namespace {

using Indices = std::vector<std::size_t>;

/// Indices of things with equal names, for each name that several have.
std::vector<Indices> with_equal_names(const std::vector<std::string>& names)
{
    std::map<std::string, Indices> by_name;
    for (std::size_t at = 0; at < names.size(); ++at)
        by_name[names[at]].push_back(at);
    std::vector<Indices> groups;
    for (auto& [name, group] : by_name)
        if (group.size() > 1)
            groups.push_back(std::move(group));
    return groups;
}

/// The last `parts` parts of a path.
std::string_view tail(std::string_view path, std::size_t parts)
{
    std::size_t at = path.size();
    for (; parts > 0 && at != std::string_view::npos && at > 0; --parts)
        at = path.rfind('/', at - 1);
    return at == std::string_view::npos || at == 0 ? path : path.substr(at + 1);
}

/// Names as short as they can be while all are different.
std::map<std::string, std::string> shortened(const std::set<std::string>& values)
{
    std::map<std::string, std::string> names;
    for (std::size_t parts = 1;; ++parts) {
        std::set<std::string_view> tails;
        std::size_t longest = 0;
        for (const std::string& value : values) {
            tails.insert(tail(value, parts));
            longest = std::max(
                longest, static_cast<std::size_t>(std::count(value.begin(), value.end(), '/')));
        }
        if (tails.size() < values.size() && parts <= longest)
            continue;
        for (const std::string& value : values)
            names[value] = tail(value, parts);
        return names;
    }
}

/// Adds "key=value" of the parameters that differ within the group.
void add_parameters(std::span<const Named> things,
                    const Indices& group,
                    std::vector<std::string>& names)
{
    std::map<std::string, std::set<std::string>> values;
    std::map<std::string, std::size_t> given; // by how many
    for (const std::size_t at : group)
        for (const auto& [key, value] : things[at].parameters.items()) {
            values[key].insert(shown(value));
            ++given[key];
        }
    for (const auto& [key, different] : values) {
        if (different.size() == 1 && given[key] == group.size())
            continue;
        const auto texts = shortened(different);
        for (const std::size_t at : group)
            if (const auto value = things[at].parameters.find(key);
                value != things[at].parameters.end())
                names[at] += fmt::format(" {}={}", key, texts.at(shown(*value)));
    }
}

} // namespace

std::string shown(const Json& value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (!value.is_array())
        return to_text(value);
    std::string text;
    for (const Json& element : value)
        text += (text.empty() ? "" : ",") + shown(element);
    return text;
}

std::vector<std::string> distinct_names(std::span<const Named> things)
{
    std::vector<std::string> names;
    for (const Named& thing : things)
        names.push_back(thing.label);
    for (const Indices& group : with_equal_names(names))
        add_parameters(things, group, names);
    std::size_t levels = 0;
    for (const Named& thing : things)
        levels = std::max(levels, thing.further.size());
    for (std::size_t level = 0; level < levels; ++level)
        for (const Indices& group : with_equal_names(names))
            for (const std::size_t at : group)
                if (level < things[at].further.size())
                    names[at] += " " + things[at].further[level];
    for (const Indices& group : with_equal_names(names))
        for (std::size_t number = 1; number < group.size(); ++number)
            names[group[number]] += fmt::format(" ({})", number + 1);
    return names;
}

} // namespace senteval::base
