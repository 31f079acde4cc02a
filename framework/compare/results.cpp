#include "compare/results.hpp"

#include "base/distinct_names.hpp"
#include "base/names.hpp"
#include "compare/row_settings.hpp"
#include "results/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace senteval::compare {
namespace {

using base::Json;

std::string date_of(const results::Cell& cell)
{
    return cell.document.at("run").value("date", "");
}

std::string earliest_date(const Row& row)
{
    std::string earliest;
    for (const Runs& runs : row.tasks)
        for (const results::Cell* cell : runs)
            if (const std::string date = date_of(*cell); earliest.empty() || date < earliest)
                earliest = date;
    return earliest;
}

/// The label of the row whose vectors are whole; of other rows their own.
std::string family_of(const Row& row)
{
    std::string label = row.label;
    const std::string part = " " + row.projection;
    if (const auto at = label.rfind(part); row.is_variant() && at != std::string::npos)
        label.erase(at, part.size());
    return label;
}

/// What tells an encoder from others of the same label.
base::Named named(const Json& document)
{
    const Json& encoder = document.at("encoder");
    return {text_at(encoder, "/label"), encoder.value("parameters", Json::object())};
}

} // namespace

std::uint64_t seed_of(const results::Cell& cell)
{
    return cell.document.at("protocol").at("settings").value("seed", std::uint64_t{0});
}

bool is_trained(const results::Cell& cell)
{
    const auto& settings = cell.document.at("protocol").value("settings", Json::object());
    return settings.contains("seed");
}

std::size_t trained_on(const results::Cell& cell)
{
    const Json& document = cell.document;
    return document.contains("details") ? document.at("details").value("trained_on", std::size_t{0})
                                        : 0;
}

std::vector<std::string> data_warnings_of(const Runs& runs)
{
    std::vector<std::string> warnings;
    for (const results::Cell* cell : runs)
        add_distinct(cell->document.at("data").value("doubts", std::vector<std::string>()),
                     warnings);
    return warnings;
}

void add_distinct(std::span<const std::string> texts, std::vector<std::string>& all)
{
    for (const std::string& text : texts)
        if (std::ranges::find(all, text) == all.end())
            all.push_back(text);
}

std::string training_overlap(const Runs& runs)
{
    for (const results::Cell* cell : runs)
        if (const auto overlap = cell->document.find("overlap"); overlap != cell->document.end())
            return fmt::format("{} of {}", overlap->at("items").get<std::size_t>(),
                               overlap->at("of").get<std::size_t>());
    return {};
}

std::uint64_t resample_of(const results::Cell& cell)
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

bool is_imported(const results::Cell& cell)
{
    return cell.document.contains("imported");
}

Results::Results(std::vector<results::Cell> cells) : cells_(std::move(cells))
{
    drop_other_data();
    drop_copies();
    for (const results::Cell& cell : cells_)
        if (std::find(tasks_.begin(), tasks_.end(), task_of(cell)) == tasks_.end())
            tasks_.push_back(task_of(cell));
    describe_metrics();

    using Key = std::pair<std::string, std::string>; // fingerprint of the encoder, projection
    std::vector<Key> order;                          // by first appearance
    std::map<Key, std::vector<const results::Cell*>> by_key;
    // By first appearance, however they were projected, each as its latest result calls it:
    std::vector<base::Named> encoders;
    std::vector<std::string> dates;
    std::map<std::string, std::size_t> index_of_encoder;
    std::vector<std::vector<std::string>> labels; // all that it was called, in the same order
    for (const results::Cell& cell : cells_) {
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
    const auto names = base::distinct_names(encoders);
    for (std::size_t at = 0; at < names.size(); ++at)
        if (labels[at].size() > 1)
            notes_.push_back({fmt::format("'{}' are one encoder, the same in every file and "
                                          "parameter: all of its results stand here as those of "
                                          "'{}'.",
                                          fmt::join(labels[at], "' and '"), names[at])});
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
    std::vector<const Row*> found;
    for (const Row& row : rows_)
        if (row.encoder == name)
            found.push_back(&row);
    return found;
}

std::vector<Note> Results::notes() const
{
    std::vector<Note> notes = notes_;
    std::vector<std::string> shown; // of the tasks that were kept
    std::copy_if(tasks_.begin(), tasks_.end(), std::back_inserter(shown),
                 [&](const std::string& task) { return shown_once_.contains(task); });
    if (!shown.empty() && rows_.size() > 1)
        notes.push_back(
            {fmt::format("{}: what rows of one encoder differ by does not concern {}: the result "
                         "stands once, in "
                         "the first of these rows.",
                         fmt::join(shown, ", "), shown.size() == 1 ? "this task" : "these tasks")});
    return notes;
}

void Results::drop_copies()
{
    using Key = std::tuple<std::string, std::string, std::string>;
    std::map<Key, std::size_t> kept; // index into `unique`
    std::vector<results::Cell> unique;
    for (results::Cell& cell : cells_) {
        const auto [at, is_new] = kept.try_emplace({text_at(cell.document, "/encoder/fingerprint"),
                                                    text_at(cell.document, "/protocol/fingerprint"),
                                                    settings_of(cell)["data"]},
                                                   unique.size());
        if (is_new) {
            unique.push_back(std::move(cell));
            continue;
        }
        if (results::Cell& other = unique[at->second]; date_of(other) < date_of(cell))
            std::swap(other, cell);
    }
    cells_ = std::move(unique);
}

void Results::drop_other_data()
{
    using Key = std::tuple<std::string, std::string, std::string, std::string>;
    const auto key_of = [](const results::Cell& cell) {
        Settings settings = settings_of(cell);
        return Key{text_at(cell.document, "/encoder/fingerprint"), task_of(cell), settings["data"],
                   settings["limit"]};
    };
    struct Latest {
        std::string date;
        std::string label;
        Json files;
    };
    const auto files_of = [](const results::Cell& cell) {
        return cell.document.value("data", Json::object()).value("files", Json());
    };
    std::map<Key, Latest> latest;
    for (const results::Cell& cell : cells_) {
        const auto [at, is_new] = latest.try_emplace(key_of(cell));
        if (is_new || at->second.date < date_of(cell))
            at->second = {date_of(cell), text_at(cell.document, "/encoder/label"), files_of(cell)};
    }
    std::map<Key, std::size_t> dropped;
    std::erase_if(cells_, [&](const results::Cell& cell) {
        const Key key = key_of(cell);
        const bool is_older = files_of(cell) != latest[key].files;
        dropped[key] += is_older ? 1U : 0U;
        return is_older;
    });
    for (const auto& [key, count] : dropped)
        if (count > 0)
            notes_.push_back({fmt::format(
                "{} of '{}': results of other data files than the latest, of {}, are left out: {}.",
                std::get<1>(key), latest[key].label, latest[key].date, count)});
}

void Results::describe_metrics()
{
    metrics_.resize(tasks_.size());
    for (const results::Cell& cell : cells_) {
        auto& known = metrics_[index_of(*this, task_of(cell))];
        if (known.empty())
            known.push_back(results::headline_of(cell.document));
        for (auto& metric : results::metrics_from_json(cell.document.at("task").at("metrics")))
            if (results::find_metric(known, metric.path) == nullptr)
                known.push_back(std::move(metric));
    }
}

void Results::add_rows_of(const std::vector<const results::Cell*>& encoder,
                          const std::string& label)
{
    const auto keys = varying_settings(encoder);
    std::vector<const results::Cell*> whole; // trained on all there is
    std::copy_if(encoder.begin(), encoder.end(), std::back_inserter(whole),
                 [](const results::Cell* cell) { return resample_of(*cell) == 0; });
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
        for (const results::Cell* cell : encoder) {
            if (!agrees(restricted(*cell, keys), signature))
                continue;
            const auto task =
                std::find(tasks_.begin(), tasks_.end(), task_of(*cell)) - tasks_.begin();
            auto& runs = resample_of(*cell) == 0 ? row.tasks : row.resampled;
            runs[static_cast<std::size_t>(task)].push_back(cell);
        }
        for (auto* tasks : {&row.tasks, &row.resampled})
            for (Runs& runs : *tasks)
                std::sort(runs.begin(), runs.end(),
                          [](const results::Cell* a, const results::Cell* b) {
                              return std::pair(resample_of(*a), seed_of(*a)) <
                                     std::pair(resample_of(*b), seed_of(*b));
                          });
        kept_.push_back(std::move(row));
    }
}

void Results::show()
{
    std::set<const results::Cell*> placed;
    rows_ = kept_;
    shown_once_.clear();
    for (Row& row : rows_)
        for (auto* tasks : {&row.tasks, &row.resampled})
            for (Runs& runs : *tasks)
                std::erase_if(runs, [&](const results::Cell* cell) {
                    const bool stands_above = !placed.insert(cell).second;
                    if (stands_above)
                        shown_once_.insert(task_of(*cell));
                    return stands_above;
                });
    std::erase_if(rows_, [](const Row& row) {
        return std::ranges::all_of(row.tasks, [](const Runs& runs) { return runs.empty(); });
    });
    std::map<std::string, std::string> dates; // by family
    for (const Row& row : rows_)
        if (auto& date = dates[family_of(row)]; date.empty() || earliest_date(row) < date)
            date = earliest_date(row);
    const auto place = [&](const Row& row) {
        const auto pattern = std::ranges::find_if(order_, [&](const std::string& any) {
            return base::matches(row.label, any) || base::matches(row.encoder, any);
        });
        const std::string family = family_of(row);
        std::pair<std::int64_t, std::int64_t> smallness; // as variants are tested
        if (row.is_variant())
            smallness = {-static_cast<std::int64_t>(bytes_of_vector(row.projection, row.dimension)),
                         -static_cast<std::int64_t>(row.dimension)};
        return std::tuple(pattern - order_.begin(), dates.at(family), family, row.is_variant(),
                          smallness, row.label);
    };
    std::ranges::stable_sort(rows_, {}, place);
}

std::string Results::group(const std::string& task) const
{
    const auto at = groups_.find(task);
    return at == groups_.end() ? std::string() : at->second;
}

std::vector<const results::Cell*> Results::cells() const
{
    std::set<const results::Cell*> shown;
    for (const Row& row : rows_)
        for (const Runs& runs : row.tasks)
            shown.insert(runs.begin(), runs.end());
    std::vector<const results::Cell*> cells;
    for (const results::Cell& cell : cells_)
        if (shown.contains(&cell))
            cells.push_back(&cell);
    return cells;
}

const results::Cell& Results::any_cell(std::size_t task) const
{
    for (const Row& row : rows_)
        if (!row.tasks[task].empty())
            return *row.tasks[task].front();
    return cells_.front(); // not reached: a task is listed because a cell has it
}

} // namespace senteval::compare
