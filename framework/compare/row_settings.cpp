#include "compare/row_settings.hpp"

#include "base/distinct_names.hpp"
#include "compare/results.hpp"
#include "embedding/variant.hpp"

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
        else if (key != "seed" && key != "resample")
            settings[key] = base::shown(value);
    }
}

/// Where no value tells the two apart, what only one of them has does.
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

/// Tasks after MTEB take that which the encoder states.
Json default_similarity(const Json& document)
{
    const Json stated = document.value("encoder", Json::object()).value("stated", Json());
    const bool is_followed = document["protocol"]["settings"].value("protocol", "") != "similarity";
    return is_followed && stated.is_object() ? stated.value("similarity", Json("cosine"))
                                             : "cosine";
}

std::ptrdiff_t settings_beyond_none(const Settings& settings)
{
    return std::count_if(settings.begin(), settings.end(),
                         [](const auto& entry) { return entry.second != "none"; });
}

} // namespace

Settings settings_of(const results::Cell& cell)
{
    Json given = cell.document.at("protocol").at("settings");
    given.erase("projection");
    given.erase("variant");
    if (given.value("similarity", Json()) == default_similarity(cell.document))
        given["similarity"] = "none"; // that anybody chose
    Settings settings{{"limit", "none"}};
    add_settings(given, settings);
    const bool is_doubtful = cell.document.value("data", Json::object()).contains("doubts") &&
                             settings["limit"] == "none";
    settings["data"] = is_doubtful ? "doubtful" : "none";
    return settings;
}

std::string projection_of(const results::Cell& cell)
{
    const Json& settings = cell.document.at("protocol").at("settings");
    if (settings.contains("variant"))
        return settings.at("variant").value("label", std::string());
    const Json projection = settings.value("projection", Json());
    return projection.is_null() ? std::string()
                                : fmt::format("@{} {}", projection.value("dimension", 0),
                                              projection.value("kind", std::string()));
}

std::string task_of(const results::Cell& cell)
{
    return text_at(cell.document, "/task/name");
}

std::size_t bytes_of_vector(const std::string& projection, std::size_t dimension)
{
    const auto variant = embedding::Variant::parse(projection);
    return embedding::bytes_of(variant ? variant->precision : embedding::Precision::float32,
                               dimension);
}

SettingKeys varying_settings(const std::vector<const results::Cell*>& cells)
{
    std::map<std::string, std::set<Settings>> of_task;
    for (const results::Cell* cell : cells)
        of_task[task_of(*cell)].insert(settings_of(*cell));
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
