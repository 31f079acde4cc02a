#include "compare/results.hpp"

#include "core/distinct_names.hpp"
#include "run/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace senteval::compare {
namespace {

using core::Json;
using Settings = std::map<std::string, std::string>; ///< path of a setting -> its value

void add_settings(const Json& json, Settings& settings)
{
    for (const auto& [key, value] : json.items()) {
        if (value.is_object())
            add_settings(value, settings);
        else if (key != "seed" && key != "resample")
            settings[key] = core::shown(value);
    }
}

/// The protocol's settings without the seed, which rows do not differ by, and the projection, which
/// makes another encoder of it. A limit holds for every task: its absence is a value, too. So is that of doubts
/// about the data.
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

bool agrees(const Settings& part, const Settings& whole)
{
    return std::all_of(part.begin(), part.end(), [&](const auto& entry) {
        const auto at = whole.find(entry.first);
        return at != whole.end() && has_value(entry.second, at->second);
    });
}

/// "classifier=mlp, normalise=z"
std::string describe(const Settings& settings)
{
    std::string text;
    for (const auto& [key, value] : settings)
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key, value);
    return text;
}

/// What is "none" goes without saying beside rows where it is not.
std::string label_of(const std::string& encoder, Settings settings)
{
    std::erase_if(settings, [](const auto& entry) { return entry.second == "none"; });
    return settings.empty() ? encoder : fmt::format("{} ({})", encoder, describe(settings));
}

std::ptrdiff_t settings_beyond_none(const Settings& settings)
{
    return std::count_if(settings.begin(), settings.end(),
                         [](const auto& entry) { return entry.second != "none"; });
}

/// The signatures that do not stand in the row of another one, the plainest first: it has the results that
/// concern all.
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

std::string date_of(const run::Cell& cell)
{
    return cell.document.at("run").value("date", "");
}

/// What tells an encoder from others of the same label.
core::Named named(const Json& document)
{
    const Json& encoder = document.at("encoder");
    return {text_at(encoder, "/label"),
            encoder.value("parameters", Json::object()),
            {{"", text_at(encoder, "/id")},
             {"version", encoder.value("version", "")},
             {"of", document.at("run").value("date", "")}}};
}

} // namespace

std::uint64_t seed_of(const run::Cell& cell)
{
    return cell.document.at("protocol").at("settings").value("seed", std::uint64_t{0});
}

std::uint64_t resample_of(const run::Cell& cell)
{
    return cell.document.at("protocol").at("settings").value("resample", std::uint64_t{0});
}

std::string text_at(const Json& document, const char* pointer)
{
    return document.at(Json::json_pointer(pointer)).get<std::string>();
}

std::size_t index_of(const Results& results, const std::string& task)
{
    const auto& tasks = results.tasks();
    return static_cast<std::size_t>(std::find(tasks.begin(), tasks.end(), task) - tasks.begin());
}

bool is_imported(const run::Cell& cell)
{
    return cell.document.contains("imported");
}

Results::Results(std::vector<run::Cell> cells) : cells_(std::move(cells))
{
    drop_other_data();
    drop_copies();
    for (const run::Cell& cell : cells_)
        if (std::find(tasks_.begin(), tasks_.end(), task_of(cell)) == tasks_.end())
            tasks_.push_back(task_of(cell));
    describe_metrics();

    using Key = std::pair<std::string, std::string>; // fingerprint of the encoder, projection
    std::vector<Key> order;                          // by first appearance
    std::map<Key, std::vector<const run::Cell*>> by_key;
    // By first appearance, however they were projected, each as its latest result calls it:
    std::vector<core::Named> encoders;
    std::vector<std::string> dates;
    std::map<std::string, std::size_t> index_of_encoder;
    std::vector<std::vector<std::string>> labels; // all that it was called, in the same order
    for (const run::Cell& cell : cells_) {
        const Key key{text_at(cell.document, "/encoder/fingerprint"), projection_of(cell)};
        if (!by_key.contains(key))
            order.push_back(key);
        by_key[key].push_back(&cell);
        const auto [at, is_new] = index_of_encoder.try_emplace(key.first, encoders.size());
        if (is_new) {
            encoders.push_back(named(cell.document));
            dates.push_back(date_of(cell));
            labels.emplace_back();
        } else if (dates[at->second] < date_of(cell)) {
            encoders[at->second] = named(cell.document);
            dates[at->second] = date_of(cell);
        }
        auto& called = labels[at->second];
        if (auto label = text_at(cell.document, "/encoder/label");
            std::find(called.begin(), called.end(), label) == called.end())
            called.push_back(std::move(label));
    }
    const auto names = core::distinct_names(encoders);
    for (std::size_t at = 0; at < names.size(); ++at)
        for (const std::string& label : labels[at])
            names_[label].push_back(names[at]);
    for (const std::string& name : names) // which is its own
        names_.erase(name);
    for (std::size_t at = 0; at < names.size(); ++at)
        if (labels[at].size() > 1)
            notes_.push_back(fmt::format("'{}' are one encoder, the same in every file and "
                                         "parameter: all of its results stand "
                                         "here as those of '{}'.",
                                         fmt::join(labels[at], "' and '"), names[at]));
    for (const Key& key : order) {
        const std::string& name = names[index_of_encoder[key.first]];
        add_rows_of(by_key[key], key.second.empty() ? name : name + " " + key.second);
    }
    show();
}

std::vector<const Row*> Results::rows_called(const std::string& name) const
{
    for (const Row& row : rows_)
        if (row.label == name)
            return {&row};
    const auto further = names_.find(name);
    std::vector<const Row*> found;
    for (const Row& row : rows_)
        if (row.encoder == name ||
            (further != names_.end() &&
             std::ranges::find(further->second, row.encoder) != further->second.end()))
            found.push_back(&row);
    return found;
}

std::vector<std::string> Results::notes() const
{
    std::vector<std::string> notes = notes_;
    std::vector<std::string> shown; // of the tasks that were kept
    std::copy_if(tasks_.begin(), tasks_.end(), std::back_inserter(shown),
                 [&](const std::string& task) { return shown_once_.contains(task); });
    if (!shown.empty() && rows_.size() > 1)
        notes.push_back(fmt::format("{}: what rows of one encoder differ by does not concern {}, "
                                    "or is chosen there: the result stands once, in the first of "
                                    "these rows.",
                                    fmt::join(shown, ", "),
                                    shown.size() == 1 ? "this task" : "these tasks"));
    return notes;
}

void Results::drop_copies()
{
    using Key = std::tuple<std::string, std::string, std::string>;
    std::map<Key, std::size_t> kept; // index into `unique`
    std::vector<run::Cell> unique;
    for (run::Cell& cell : cells_) {
        const auto [at, is_new] = kept.try_emplace({text_at(cell.document, "/encoder/fingerprint"),
                                                    text_at(cell.document, "/protocol/fingerprint"),
                                                    settings_of(cell)["data"]},
                                                   unique.size());
        if (is_new) {
            unique.push_back(std::move(cell));
            continue;
        }
        if (run::Cell& other = unique[at->second]; date_of(other) < date_of(cell))
            std::swap(other, cell);
    }
    cells_ = std::move(unique);
}

void Results::drop_other_data()
{
    using Key = std::tuple<std::string, std::string, std::string, std::string>;
    const auto key_of = [](const run::Cell& cell) {
        Settings settings = settings_of(cell);
        return Key{text_at(cell.document, "/encoder/fingerprint"), task_of(cell), settings["data"],
                   settings["limit"]};
    };
    struct Latest {
        std::string date;
        std::string label;
        Json files;
    };
    const auto files_of = [](const run::Cell& cell) {
        return cell.document.value("data", Json::object()).value("files", Json());
    };
    std::map<Key, Latest> latest;
    for (const run::Cell& cell : cells_) {
        const auto [at, is_new] = latest.try_emplace(key_of(cell));
        if (is_new || at->second.date < date_of(cell))
            at->second = {date_of(cell), text_at(cell.document, "/encoder/label"), files_of(cell)};
    }
    std::map<Key, std::size_t> dropped;
    std::erase_if(cells_, [&](const run::Cell& cell) {
        const Key key = key_of(cell);
        const bool is_older = files_of(cell) != latest[key].files;
        dropped[key] += is_older ? 1U : 0U;
        return is_older;
    });
    for (const auto& [key, count] : dropped)
        if (count > 0)
            notes_.push_back(fmt::format(
                "{} of '{}': {} {} of other data files than the latest, of {}, and {} left out.",
                std::get<1>(key), latest[key].label, count,
                count == 1 ? "result is" : "results are", latest[key].date,
                count == 1 ? "is" : "are"));
}

void Results::describe_metrics()
{
    metrics_.resize(tasks_.size());
    for (const run::Cell& cell : cells_) {
        auto& known = metrics_[index_of(*this, task_of(cell))];
        if (known.empty())
            known.push_back(run::headline_of(cell.document));
        for (auto& metric : task::metrics_from_json(cell.document.at("task").at("metrics")))
            if (task::find_metric(known, metric.path) == nullptr)
                known.push_back(std::move(metric));
    }
}

void Results::add_rows_of(const std::vector<const run::Cell*>& encoder, const std::string& label)
{
    const auto keys = varying_settings(encoder);
    std::vector<const run::Cell*> whole; // trained on all there is
    std::copy_if(encoder.begin(), encoder.end(), std::back_inserter(whole),
                 [](const run::Cell* cell) { return resample_of(*cell) == 0; });
    for (const Settings& signature : row_signatures(whole, keys)) {
        Row row;
        row.encoder = label;
        row.projection = projection_of(*encoder.front());
        row.settings = signature;
        row.variant = describe(signature);
        row.label = label_of(label, signature);
        const Json& document = encoder.front()->document;
        row.dimension =
            document.value("dimension", // of imported results only the encoder's is known
                           document.at("encoder").value("dimension", std::size_t{0}));
        row.tasks.resize(tasks_.size());
        row.resampled.resize(tasks_.size());
        for (const run::Cell* cell : encoder) {
            if (!agrees(restricted(*cell, keys), signature))
                continue;
            const auto task =
                std::find(tasks_.begin(), tasks_.end(), task_of(*cell)) - tasks_.begin();
            auto& runs = resample_of(*cell) == 0 ? row.tasks : row.resampled;
            runs[static_cast<std::size_t>(task)].push_back(cell);
        }
        for (auto* tasks : {&row.tasks, &row.resampled})
            for (Runs& runs : *tasks)
                std::sort(runs.begin(), runs.end(), [](const run::Cell* a, const run::Cell* b) {
                    return std::pair(resample_of(*a), seed_of(*a)) <
                           std::pair(resample_of(*b), seed_of(*b));
                });
        kept_.push_back(std::move(row));
    }
}

void Results::show()
{
    std::set<const run::Cell*> placed;
    rows_ = kept_;
    shown_once_.clear();
    for (Row& row : rows_)
        for (auto* tasks : {&row.tasks, &row.resampled})
            for (Runs& runs : *tasks)
                std::erase_if(runs, [&](const run::Cell* cell) {
                    const bool stands_above = !placed.insert(cell).second;
                    if (stands_above)
                        shown_once_.insert(task_of(*cell));
                    return stands_above;
                });
    std::erase_if(rows_, [](const Row& row) {
        return std::ranges::all_of(row.tasks, [](const Runs& runs) { return runs.empty(); });
    });
}

std::vector<const run::Cell*> Results::cells() const
{
    std::set<const run::Cell*> shown;
    for (const Row& row : rows_)
        for (const Runs& runs : row.tasks)
            shown.insert(runs.begin(), runs.end());
    std::vector<const run::Cell*> cells;
    for (const run::Cell& cell : cells_)
        if (shown.contains(&cell))
            cells.push_back(&cell);
    return cells;
}

const run::Cell& Results::any_cell(std::size_t task) const
{
    for (const Row& row : rows_)
        if (!row.tasks[task].empty())
            return *row.tasks[task].front();
    return cells_.front(); // not reached: a task is listed because a cell has it
}

} // namespace senteval::compare
