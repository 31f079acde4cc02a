#include "compare/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace senteval::compare {
namespace {

using core::Json;
using Settings = std::map<std::string, std::string>; ///< path of a setting -> its value

/// A text as it is, a list with commas: "none,z".
std::string shown(const Json& value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (!value.is_array())
        return value.dump();
    std::string text;
    for (const Json& element : value)
        text += (text.empty() ? "" : ",") + shown(element);
    return text;
}

void add_settings(const Json& json, Settings& settings)
{
    for (const auto& [key, value] : json.items()) {
        if (value.is_object())
            add_settings(value, settings);
        else if (key != "seed")
            settings[key] = shown(value);
    }
}

/// The protocol's settings without the seed, which rows do not differ by, and the projection, which
/// makes another encoder of it. A limit holds for every task: its absence is a value, too.
Settings settings_of(const run::Cell& cell)
{
    Json given = cell.document.at("protocol").at("settings");
    given.erase("projection");
    Settings settings{{"limit", "none"}};
    add_settings(given, settings);
    return settings;
}

/// "@50 random"; empty where the encoder's vectors are as they are.
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

std::uint64_t seed_of(const run::Cell& cell)
{
    const Json& settings = cell.document.at("protocol").at("settings");
    return settings.contains("seed") ? settings.at("seed").get<std::uint64_t>() : 0;
}

/// The settings in which some task of the encoder has several values.
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

/// The cell's settings that tell rows apart.
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
        return at != whole.end() && at->second == entry.second;
    });
}

std::string describe(const Settings& settings)
{
    std::string text;
    for (const auto& [key, value] : settings)
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key, value);
    return text;
}

/// The signatures that no other one extends.
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
        if (std::none_of(all.begin(), all.end(), [&](const Settings& other) {
                return other.size() > one.size() && agrees(one, other);
            }))
            rows.push_back(one);
    return rows;
}

} // namespace

std::string text_at(const Json& document, const char* pointer)
{
    return document.at(Json::json_pointer(pointer)).get<std::string>();
}

std::size_t index_of(const Results& results, const std::string& task)
{
    const auto& tasks = results.tasks();
    return static_cast<std::size_t>(std::find(tasks.begin(), tasks.end(), task) - tasks.begin());
}

bool repeats_earlier(const Results& results, std::size_t row, std::size_t task)
{
    const auto& rows = results.rows();
    return std::any_of(
        rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(row), [&](const Row& earlier) {
            return !earlier.tasks[task].empty() && earlier.tasks[task] == rows[row].tasks[task];
        });
}

bool is_imported(const run::Cell& cell)
{
    return cell.document.contains("imported");
}

Results::Results(std::vector<run::Cell> cells) : cells_(std::move(cells))
{
    for (const run::Cell& cell : cells_)
        if (std::find(tasks_.begin(), tasks_.end(), task_of(cell)) == tasks_.end())
            tasks_.push_back(task_of(cell));

    using Key = std::pair<std::string, std::string>; // fingerprint of the encoder, projection
    std::vector<Key> order;                          // of the encoders, by first appearance
    std::map<Key, std::vector<const run::Cell*>> by_key;
    std::map<std::string, std::set<std::string>> fingerprints_of_label;
    for (const run::Cell& cell : cells_) {
        const Key key{text_at(cell.document, "/encoder/fingerprint"), projection_of(cell)};
        if (!by_key.contains(key))
            order.push_back(key);
        by_key[key].push_back(&cell);
        fingerprints_of_label[text_at(cell.document, "/encoder/label")].insert(key.first);
    }
    constexpr std::size_t shown_digits = 6;
    for (const Key& key : order) {
        const auto& of_encoder = by_key[key];
        std::string label = text_at(of_encoder.front()->document, "/encoder/label");
        if (fingerprints_of_label[label].size() > 1)
            label += " #" + key.first.substr(0, shown_digits);
        if (!key.second.empty())
            label += " " + key.second;
        add_rows_of(of_encoder, label);
    }
}

void Results::add_rows_of(const std::vector<const run::Cell*>& encoder, const std::string& label)
{
    const auto keys = varying_settings(encoder);
    for (const Settings& signature : row_signatures(encoder, keys)) {
        Row row;
        row.encoder = label;
        row.projection = projection_of(*encoder.front());
        row.settings = signature;
        row.variant = describe(signature);
        row.label = row.variant.empty() ? label : fmt::format("{} ({})", label, row.variant);
        const Json& document = encoder.front()->document;
        row.dimension =
            document.value("dimension", // of imported results only the encoder's is known
                           document.at("encoder").value("dimension", std::size_t{0}));
        row.tasks.resize(tasks_.size());
        for (const run::Cell* cell : encoder) {
            if (!agrees(restricted(*cell, keys), signature))
                continue;
            const auto task =
                std::find(tasks_.begin(), tasks_.end(), task_of(*cell)) - tasks_.begin();
            row.tasks[static_cast<std::size_t>(task)].push_back(cell);
        }
        for (Runs& runs : row.tasks)
            std::sort(runs.begin(), runs.end(), [](const run::Cell* a, const run::Cell* b) {
                return seed_of(*a) < seed_of(*b);
            });
        rows_.push_back(std::move(row));
    }
}

void Results::order_tasks(std::span<const std::string> names)
{
    std::vector<std::size_t> order(tasks_.size());
    for (std::size_t task = 0; task < order.size(); ++task)
        order[task] = task;
    const auto rank = [&](std::size_t task) {
        return std::find(names.begin(), names.end(), tasks_[task]) - names.begin();
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    const auto reorder = [&](auto& list) {
        auto copy = list;
        for (std::size_t at = 0; at < order.size(); ++at)
            copy[at] = list[order[at]];
        list = std::move(copy);
    };
    for (Row& row : rows_)
        reorder(row.tasks);
    reorder(tasks_);
}

const run::Cell& Results::any_cell(std::size_t task) const
{
    for (const Row& row : rows_)
        if (!row.tasks[task].empty())
            return *row.tasks[task].front();
    return cells_.front(); // not reached: a task is listed because a cell has it
}

} // namespace senteval::compare
