#include "compare/scoring.hpp"
#include "compare/views.hpp"
#include "embedding/normalise.hpp"
#include "task/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace senteval::compare {
namespace {

using Settings = std::map<std::string, std::string>;

/// The values of a setting, what the original does first.
std::vector<std::string> values_of(const Results& results, const std::string& key)
{
    std::set<std::string> values;
    for (const Row& row : results.rows())
        if (const auto at = row.settings.find(key); at != row.settings.end())
            values.insert(at->second);
    std::vector<std::string> ordered(values.begin(), values.end());
    const task::Settings usual; // what a run does where nothing is chosen
    const std::map<std::string, std::string> first = {
        {"classifier", usual.classifier.classifier},
        {"normalise", std::string(embedding::name(usual.normalise))},
        {"similarity",
         std::string(task::similarity_names[static_cast<std::size_t>(usual.similarity)].first)}};
    if (const auto at = first.find(key); at != first.end())
        std::stable_partition(ordered.begin(), ordered.end(),
                              [&](const std::string& value) { return value == at->second; });
    return ordered;
}

/// The row of the same encoder with `value` for `key`, and all other settings equal.
std::optional<std::size_t> counterpart(const Results& results,
                                       const Row& row,
                                       const std::string& key,
                                       const std::string& value)
{
    Settings wanted = row.settings;
    wanted[key] = value;
    const auto& rows = results.rows();
    const auto at = std::find_if(rows.begin(), rows.end(), [&](const Row& other) {
        return other.encoder == row.encoder && other.settings == wanted;
    });
    return at == rows.end() ? std::optional<std::size_t>{}
                            : static_cast<std::size_t>(at - rows.begin());
}

std::string label_without(const Row& row, const std::string& key)
{
    std::string rest;
    for (const auto& [other, value] : row.settings)
        if (other != key)
            rest += fmt::format("{}{}={}", rest.empty() ? "" : ", ", other, value);
    return rest.empty() ? row.encoder : fmt::format("{} ({})", row.encoder, rest);
}

report::SideBySide empty_pair(const TaskComparison& task)
{
    report::SideBySide pair;
    pair.title = task.task;
    pair.unit = task.metric.axis();
    pair.decimals = task.metric.digits;
    pair.higher_is_better = task.metric.higher_is_better;
    return pair;
}

report::SideBySide by_setting(const Results& results,
                              const TaskComparison& task,
                              const std::string& key,
                              const std::string& left,
                              const std::string& right)
{
    report::SideBySide pair = empty_pair(task);
    pair.title = fmt::format("{}: {}", task.task, key);
    pair.left = left;
    pair.right = right;
    const std::size_t at = index_of(results, task.task);
    for (std::size_t row = 0; row < results.rows().size(); ++row) {
        const Row& one = results.rows()[row];
        const auto value = one.settings.find(key);
        if (value == one.settings.end() || value->second != left)
            continue;
        const auto other = counterpart(results, one, key, right);
        // A task that does not know the setting has the same result in both rows.
        if (!other || one.tasks[at].empty() || results.rows()[*other].tasks[at].empty() ||
            one.tasks[at] == results.rows()[*other].tasks[at])
            continue;
        pair.rows.push_back({label_without(one, key), task.entries[row].score.value,
                             task.entries[*other].score.value});
    }
    return pair;
}

/// The label, with the learned similarity's error in the unit of the gold scores.
std::string label_with_error(const Row& row, std::size_t task, const Results& results)
{
    for (const task::Metric& metric : results.metrics(task))
        if (metric.source.statistic == "squared error" && metric.source.series.empty())
            if (const auto value = metric.value_in(row.tasks[task].front()->document.at("metrics")))
                return fmt::format("{} (MSE {:.3f})", row.label, *value);
    return row.label;
}

/// Whether the second is what the first is without learning: it scores pairs of the same files.
bool is_companion(const run::Cell& learned, const run::Cell& plain)
{
    if (!is_trained(learned) || is_trained(plain) || is_imported(learned) || is_imported(plain))
        return false;
    const auto& all = learned.document.at("data").at("files");
    const auto& files = plain.document.at("data").at("files");
    return !files.empty() &&
           std::all_of(files.items().begin(), files.items().end(), [&](const auto& file) {
               return all.contains(file.key()) && all.at(file.key()) == file.value();
           });
}

std::optional<report::SideBySide>
learned_and_not(const Results& results, const Comparison& comparison, const TaskComparison& learned)
{
    const auto& tasks = comparison.tasks;
    const auto any_of = [&](const TaskComparison& task) -> const run::Cell& {
        return results.any_cell(index_of(results, task.task));
    };
    const auto plain = std::find_if(tasks.begin(), tasks.end(), [&](const TaskComparison& task) {
        return task.metric.path == learned.metric.path &&
               is_companion(any_of(learned), any_of(task));
    });
    if (plain == tasks.end())
        return std::nullopt;
    report::SideBySide pair = empty_pair(learned);
    pair.title = learned.task + ": learned similarity and similarity without learning";
    pair.left = "learned";
    pair.right = "not learned";
    const std::size_t at = index_of(results, learned.task);
    for (std::size_t row = 0; row < results.rows().size(); ++row) {
        const double left = learned.entries[row].score.value;
        const double right = plain->entries[row].score.value;
        if (!std::isnan(left) && !std::isnan(right))
            pair.rows.push_back({label_with_error(results.rows()[row], at, results), left, right});
    }
    return pair;
}

} // namespace

std::vector<report::SideBySide> side_by_side(const Results& results, const Comparison& comparison)
{
    std::set<std::string> keys;
    for (const Row& row : results.rows())
        for (const auto& [key, value] : row.settings)
            keys.insert(key);
    std::vector<report::SideBySide> all;
    const auto keep = [&](report::SideBySide pair) {
        if (!pair.rows.empty())
            all.push_back(std::move(pair));
    };
    for (const TaskComparison& task : comparison.tasks)
        if (auto pair = learned_and_not(results, comparison, task))
            keep(std::move(*pair));
    for (const std::string& key : keys) {
        const auto values = values_of(results, key);
        for (const TaskComparison& task : comparison.tasks)
            for (std::size_t right = 1; right < values.size(); ++right)
                keep(by_setting(results, task, key, values.front(), values[right]));
    }
    return all;
}

} // namespace senteval::compare
