#include "compare/row_settings.hpp"

#include "base/distinct_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace senteval::compare {
namespace {

using base::Json;

void add_settings(const Json& json, Settings& settings)
{
    for (const auto& [key, value] : json.items()) {
        if (value.is_object())
            add_settings(value, settings);
        else
            settings[key] = base::shown(value);
    }
}

/// Adds the keys whose values differ; where none does, those that only one of the two has.
void add_differences(const Settings& one, const Settings& other, SettingKeys& keys)
{
    bool differ = false;
    for (const auto& [key, value] : one)
        if (const auto at = other.find(key); at != other.end() && at->second != value) {
            keys.try_emplace(key, false);
            differ = true;
        }
    for (const auto& [key, value] : one)
        if (!differ && !other.contains(key))
            keys[key] = true;
}

std::ptrdiff_t settings_beyond_none(const Settings& settings)
{
    return std::count_if(settings.begin(), settings.end(),
                         [](const auto& entry) { return entry.second != "none"; });
}

} // namespace

Settings settings_of(const results::Cell& cell)
{
    Settings settings{{"limit", "none"}};
    add_settings(cell.result.choices(), settings);
    const bool is_doubtful =
        cell.result.data.doubts.size() > (settings["limit"] == "none" ? 0U : 1U);
    settings["data"] = is_doubtful ? "doubtful" : "none";
    return settings;
}

SettingKeys varying_settings(const std::vector<const results::Cell*>& cells)
{
    std::map<std::string, std::set<Settings>> of_task;
    for (const results::Cell* cell : cells)
        of_task[cell->result.task.name].insert(settings_of(*cell));
    SettingKeys keys;
    for (const auto& [task, all] : of_task)
        for (const Settings& one : all)
            for (const Settings& other : all)
                add_differences(one, other, keys);
    return keys;
}

Settings restricted(const results::Cell& cell, const SettingKeys& keys)
{
    const Settings all = settings_of(cell);
    Settings settings;
    for (const auto& [key, or_none] : keys) {
        if (const auto at = all.find(key); at != all.end())
            settings.insert(*at);
        else if (or_none)
            settings[key] = "none";
    }
    return settings;
}

bool agrees(const Settings& part, const Settings& whole)
{
    return std::ranges::includes(whole, part);
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

std::vector<Settings> row_signatures(const std::vector<const results::Cell*>& cells,
                                     const SettingKeys& keys)
{
    std::vector<Settings> all;
    for (const results::Cell* cell : cells)
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
