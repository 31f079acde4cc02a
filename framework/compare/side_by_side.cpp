#include "compare/scoring.hpp"
#include "compare/views.hpp"
#include "embedding/normalise.hpp"
#include "stats/correlation.hpp"
#include "task/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

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
    return pair;
}

/// A value of a task, in one of the two columns.
struct Side {
    const TaskComparison* task;
    std::size_t row;

    [[nodiscard]] const Entry& entry() const { return task->entries[row]; }

    [[nodiscard]] bool can_be_ranked() const
    {
        return entry().verdict != Verdict::missing && entry().verdict != Verdict::not_comparable &&
               task->best == entry().against;
    }

    /// Of the first row whose results are this one's but for rounding; less is better.
    [[nodiscard]] double key() const
    {
        const auto same = std::ranges::find_if(
            task->same_scores, [&](const auto& rows) { return rows.second == row; });
        const std::size_t first = same == task->same_scores.end() ? row : same->first;
        const double value = task->entries[first].score.value;
        return task->metric.higher_is_better ? -value : value;
    }
};

/// Adds the ranks of a column, over what both columns can rank and where that is more than one row.
void add_ranks(const std::vector<std::pair<Side, Side>>& sides,
               Side std::pair<Side, Side>::*column,
               double report::SideBySide::Row::*rank,
               report::SideBySide& pair)
{
    std::vector<std::size_t> ranked;
    std::vector<double> keys;
    for (std::size_t at = 0; at < sides.size(); ++at)
        if (sides[at].first.can_be_ranked() && sides[at].second.can_be_ranked()) {
            ranked.push_back(at);
            keys.push_back((sides[at].*column).key());
        }
    if (ranked.size() < 2)
        return;
    const std::vector<double> ranks = stats::ranks(keys);
    for (std::size_t at = 0; at < ranked.size(); ++at)
        pair.rows[ranked[at]].*rank = ranks[at];
}

/// The rows, which are called by `labels`.
void fill(const std::vector<std::string>& labels,
          const std::vector<std::pair<Side, Side>>& sides,
          report::SideBySide& pair)
{
    for (std::size_t at = 0; at < sides.size(); ++at)
        pair.rows.push_back({labels[at], sides[at].first.entry().score.value,
                             sides[at].second.entry().score.value});
    add_ranks(sides, &std::pair<Side, Side>::first, &report::SideBySide::Row::left_rank, pair);
    add_ranks(sides, &std::pair<Side, Side>::second, &report::SideBySide::Row::right_rank, pair);
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
    std::vector<std::string> labels;
    std::vector<std::pair<Side, Side>> sides;
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
        labels.push_back(label_without(one, key));
        sides.push_back({{&task, row}, {&task, *other}});
    }
    fill(labels, sides, pair);
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
    std::vector<std::string> labels;
    std::vector<std::pair<Side, Side>> sides;
    const std::size_t at = index_of(results, learned.task);
    for (std::size_t row = 0; row < results.rows().size(); ++row) {
        if (std::isnan(learned.entries[row].score.value) ||
            std::isnan(plain->entries[row].score.value))
            continue;
        labels.push_back(label_with_error(results.rows()[row], at, results));
        sides.push_back({{&learned, row}, {&*plain, row}});
    }
    fill(labels, sides, pair);
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
