#include "compare/row_settings.hpp"

#include "compare/results.hpp"
#include "core/distinct_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace senteval::compare {
namespace {

using core::Json;

void add_settings(const Json& json, Settings& settings)
{
    for (const auto& [key, value] : json.items()) {
        if (value.is_object())
            add_settings(value, settings);
        else if (key != "seed" && key != "resample")
            settings[key] = core::shown(value);
    }
}

/// Whether a list with commas has the value. A task that chose between several values of a setting
/// has the list of them.
bool has_value(std::string_view list, std::string_view value)
{
    if (list == value)
        return true;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (list.substr(0, comma) == value)
            return true;
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return false;
}

std::ptrdiff_t settings_beyond_none(const Settings& settings)
{
    return std::count_if(settings.begin(), settings.end(),
                         [](const auto& entry) { return entry.second != "none"; });
}

} // namespace

Settings settings_of(const run::Cell& cell)
{
    Json given = cell.document.at("protocol").at("settings");
    given.erase("projection");
    Settings settings{{"limit", "none"}};
    add_settings(given, settings);
    const bool is_doubtful = cell.document.value("data", Json::object()).contains("doubts") &&
                             settings["limit"] == "none";
    settings["data"] = is_doubtful ? "doubtful" : "none";
    return settings;
}

std::string projection_of(const run::Cell& cell)
{
    const Json projection = cell.document.at("protocol").at("settings").value("projection", Json());
    return projection.is_null() ? std::string()
                                : fmt::format("@{} {}", projection.value("dimension", 0),
                                              projection.value("kind", std::string()));
}

std::string task_of(const run::Cell& cell)
{
    return text_at(cell.document, "/task/name");
}

std::set<std::string> varying_settings(const std::vector<const run::Cell*>& cells)
{
    std::map<std::string, std::map<std::string, std::set<std::string>>>
        values; // task, key -> values
    for (const run::Cell* cell : cells)
        for (const auto& [key, value] : settings_of(*cell))
            values[task_of(*cell)][key].insert(value);
    std::set<std::string> varying;
    for (const auto& [task, keys] : values)
        for (const auto& [key, seen] : keys)
            if (seen.size() > 1)
                varying.insert(key);
    return varying;
}

Settings restricted(const run::Cell& cell, const std::set<std::string>& keys)
{
    Settings settings = settings_of(cell);
    std::erase_if(settings, [&](const auto& entry) { return !keys.contains(entry.first); });
    return settings;
}

bool agrees(const Settings& part, const Settings& whole)
{
    return std::all_of(part.begin(), part.end(), [&](const auto& entry) {
        const auto at = whole.find(entry.first);
        return at != whole.end() && has_value(entry.second, at->second);
    });
}

std::string describe(const Settings& settings)
{
    std::string text;
    for (const auto& [key, value] : settings)
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key, value);
    return text;
}

std::string label_of(const std::string& encoder, Settings settings)
{
    std::erase_if(settings, [](const auto& entry) { return entry.second == "none"; });
    return settings.empty() ? encoder : fmt::format("{} ({})", encoder, describe(settings));
}

std::vector<Settings> row_signatures(const std::vector<const run::Cell*>& cells,
                                     const std::set<std::string>& keys)
{
    std::vector<Settings> all;
    for (const run::Cell* cell : cells)
        if (Settings settings = restricted(*cell, keys);
            std::find(all.begin(), all.end(), settings) == all.end())
            all.push_back(std::move(settings));
    std::vector<Settings> rows;
    for (const Settings& one : all)
        if (std::none_of(all.begin(), all.end(),
                         [&](const Settings& other) { return other != one && agrees(one, other); }))
            rows.push_back(one);
    std::stable_sort(rows.begin(), rows.end(), [](const Settings& a, const Settings& b) {
        return settings_beyond_none(a) < settings_beyond_none(b);
    });
    return rows;
}

} // namespace senteval::compare
