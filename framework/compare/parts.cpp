// The mean of a task's parts: its subsets and splits.
#include "compare/results.hpp"

#include "base/fingerprint.hpp"
#include "stats/interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace senteval::compare {
namespace {

using Places = std::vector<std::size_t>; // of parts, in Results::tasks()
using PartNames = std::vector<std::string>;

/// The indices of a part's classes in a list of names, to which they are added.
std::vector<double> indices_in(std::vector<std::string>& all,
                               const std::vector<std::string>& classes)
{
    add_distinct(classes, all);
    std::vector<double> indices;
    for (const std::string& name : classes)
        indices.push_back(static_cast<double>(std::ranges::find(all, name) - all.begin()));
    return indices;
}

/// Appends the test items of a part as groups of its name. `sources`: texts of the parts before, to which its own are added.
void append(const results::Items& part,
            const std::string& name,
            std::uint32_t& sources,
            results::Items& whole)
{
    const results::Outcomes& from = part.outcomes;
    results::Outcomes& to = whole.outcomes;
    const auto first = static_cast<std::uint32_t>(to.groups.size());
    for (const std::string& group : from.groups)
        to.groups.push_back(group.empty() ? name : name + "/" + group);
    const auto indices = indices_in(to.classes, from.classes);
    const auto class_of = [&](double index) {
        const auto at = static_cast<std::size_t>(index);
        return from.kind == "class" && at < indices.size() ? indices[at] : index;
    };
    for (results::ItemOutcome row : from.rows) {
        row.group += first;
        row.gold = class_of(row.gold);
        row.prediction = class_of(row.prediction);
        to.rows.push_back(row);
    }
    for (std::size_t at = 0; at < to.further.size(); ++at)
        std::ranges::transform(from.further[at].predictions,
                               std::back_inserter(to.further[at].predictions), class_of);
    const std::uint32_t before = sources;
    for (results::ItemTraits traits : part.traits) {
        if (traits.source_first != results::ItemTraits::alone) {
            traits.source_first += before;
            traits.source_second += before;
            sources = std::max({sources, traits.source_first + 1, traits.source_second + 1});
        }
        whole.traits.push_back(traits);
    }
}

/// Whether the items of all can be those of one result: the same series, and as many groups.
bool are_alike(const Runs& parts)
{
    const auto shape = [](const results::Cell* cell) {
        std::vector<std::string> series;
        for (const results::Series& further : cell->items.outcomes.further)
            series.push_back(further.name);
        return std::tuple(cell->items.outcomes.kind, cell->items.outcomes.groups.size(), series);
    };
    return std::ranges::all_of(parts, [&](const results::Cell* cell) {
        return !cell->items.outcomes.rows.empty() && shape(cell) == shape(parts.front());
    });
}

results::Items joined_items(const Runs& parts, const PartNames& names)
{
    results::Items items;
    items.outcomes.kind = parts.front()->items.outcomes.kind;
    for (const results::Series& further : parts.front()->items.outcomes.further)
        items.outcomes.further.push_back({further.name, {}});
    std::uint32_t sources = 0;
    for (std::size_t part = 0; part < parts.size(); ++part)
        append(parts[part]->items, names[part], sources, items);
    return items;
}

/// A metric of the parts as one of their mean, which items have no part in where it is no mean of equal groups.
results::Metric mean_over_parts(results::Metric metric, std::size_t groups_of_part)
{
    const bool is_mean = metric.source.groups.empty() &&
                         (metric.source.over == results::Over::groups ||
                          (metric.source.over == results::Over::items && groups_of_part == 1));
    if (!is_mean)
        metric.source = {};
    metric.source.over = results::Over::groups;
    return metric;
}

/// The result of the mean of parts that one encoder has under one protocol.
results::Cell joined(const Runs& parts, const PartNames& names, const std::string& whole)
{
    results::Cell cell{parts.front()->result, {}};
    results::Result& result = cell.result;
    if (are_alike(parts))
        cell.items = joined_items(parts, names);
    result.task.name = whole;
    result.task.description = nullptr;
    result.metrics = base::Json::object();
    result.details = base::Json::object();
    for (results::Metric& metric : result.task.metrics) {
        double sum = 0;
        std::size_t count = 0;
        for (const results::Cell* part : parts)
            if (const auto value = metric.value_in(part->result.metrics)) {
                sum += *value;
                ++count;
            }
        if (count == parts.size())
            result.metrics[metric.path] = sum / static_cast<double>(count);
        metric = mean_over_parts(metric, parts.front()->items.outcomes.groups.size());
    }
    result.data.files = base::Json::object();
    for (std::size_t part = 0; part < parts.size(); ++part)
        for (const auto& [file, facts] : parts[part]->result.data.files.items())
            result.data.files[names[part] + ": " + file] = facts;
    for (const results::Cell* part : std::span(parts).subspan(1)) {
        const results::Result& other = part->result;
        result.protocol.fingerprint += other.protocol.fingerprint;
        add_distinct(other.data.doubts, result.data.doubts);
        add_distinct(other.data.accepted, result.data.accepted);
        result.overlap.items += other.overlap.items;
        result.overlap.of += other.overlap.of;
        result.cautions.insert(result.cautions.end(), other.cautions.begin(), other.cautions.end());
        if (result.uninformative.empty())
            result.uninformative = other.uninformative;
        result.run.seconds["total"] += other.run.total_seconds();
    }
    result.protocol.fingerprint = base::fingerprint(result.protocol.fingerprint);
    return cell;
}

/// The runs of the parts as runs of their mean: those seeds, and halves, that all parts have.
std::vector<results::Cell> joined_runs(const std::vector<Runs>& tasks,
                                       const Places& parts,
                                       const PartNames& names,
                                       const std::string& whole)
{
    std::map<std::pair<std::uint64_t, std::uint64_t>, Runs> by_seed;
    for (const std::size_t part : parts)
        for (const results::Cell* cell : tasks[part])
            by_seed[{cell->result.protocol.resample(), cell->result.protocol.seed().value_or(0)}]
                .push_back(cell);
    std::vector<results::Cell> runs;
    for (const auto& [seed, cells] : by_seed)
        if (cells.size() == parts.size())
            runs.push_back(joined(cells, names, whole));
    return runs;
}

/// "STS22", or with the parts where these are not all.
std::string name_of(const std::string& whole, const PartNames& parts, std::size_t all)
{
    constexpr std::size_t most = 3;
    if (parts.size() == all)
        return whole;
    return parts.size() <= most ? fmt::format("{} ({})", whole, fmt::join(parts, ", "))
                                : fmt::format("{} ({} of {} parts)", whole, parts.size(), all);
}

} // namespace

std::string Results::shown_as(const std::string& task) const
{
    const auto at = shown_as_.find(task);
    return at == shown_as_.end() ? task : at->second;
}

void Results::join_parts(std::span<const results::MeanOfTasks> means_of_tasks)
{
    for (const auto& [whole, members] : means_of_tasks) {
        Places places;
        std::ranges::transform(members, std::back_inserter(places),
                               [&](const std::string& task) { return index_of(*this, task); });
        if (std::ranges::max(places) < tasks_.size())
            for (const std::size_t place : places)
                parts_[place] = {whole, tasks_[place], places.size()};
    }
    std::map<std::string, Places> wholes;
    std::map<std::string, std::set<std::string>> stored; // parts, whatever was chosen
    for (const results::Cell& cell : cells_) {
        const auto part = cell.result.task.part_of();
        stored[part.whole].insert(part.part);
    }
    for (std::size_t task = 0; task < tasks_.size(); ++task)
        if (!parts_[task].whole.empty())
            wholes[parts_[task].whole].push_back(task);
    std::set<std::size_t> gone;
    for (const auto& [whole, parts] : wholes)
        gone.merge(join(whole, parts, stored[whole].size()));
    std::vector<std::string> means;
    for (const auto& [whole, parts] : wholes)
        if (gone.contains(parts.back()))
            means.push_back(tasks_[parts.front()]);
    if (!means.empty())
        notes_.push_back(
            {fmt::format("{}: the mean of {} parts, which --parts shows.", fmt::join(means, ", "),
                         means.size() == 1 ? "its" : "their")});
    Places left;
    for (std::size_t task = 0; task < tasks_.size(); ++task)
        if (!gone.contains(task))
            left.push_back(task);
    arrange(left);
}

std::set<std::size_t>
Results::join(const std::string& whole, const std::vector<std::size_t>& parts, std::size_t stored)
{
    Places common = parts;
    std::ranges::sort(common, {}, [&](std::size_t place) { return parts_[place].part; });
    for (const Row& row : kept_) {
        const auto is_missing = [&](std::size_t part) { return row.tasks[part].empty(); };
        if (!std::ranges::all_of(parts, is_missing))
            std::erase_if(common, is_missing);
    }
    if (common.empty()) {
        notes_.push_back({fmt::format(
            "{}: no part of it has results of all encoders: its parts stand by themselves.",
            whole)});
        return {};
    }
    PartNames names;
    for (const std::size_t part : common)
        names.push_back(parts_[part].part);
    const std::string name = name_of(whole, names, std::max(parts_[common.front()].parts, stored));
    const std::size_t alone = index_of(*this, name); // as imports may have it
    for (Row& row : kept_)
        for (auto* tasks : {&row.tasks, &row.resampled}) {
            Runs runs;
            for (results::Cell& cell : joined_runs(*tasks, common, names, name))
                runs.push_back(&joined_.emplace_back(std::move(cell)));
            if (runs.empty() && !(*tasks)[common.front()].empty())
                notes_.push_back({fmt::format(
                    "{} of '{}' is left out: no seed has all of its parts.", name, row.label)});
            if (runs.empty() && alone < tasks_.size())
                runs = (*tasks)[alone];
            (*tasks)[parts.front()] = std::move(runs);
        }
    std::set<std::size_t> gone{std::next(parts.begin()), parts.end()};
    if (alone < tasks_.size())
        gone.insert(alone);
    for (const std::size_t part : parts)
        shown_as_[tasks_[part]] = name;
    tasks_[parts.front()] = name;
    parts_[parts.front()] = {whole, "", 1};
    for (results::Metric& metric : metrics_[parts.front()])
        if (!joined_.empty())
            if (const auto* of_whole =
                    results::find_metric(joined_.back().result.task.metrics, metric.path))
                metric = *of_whole;
    return gone;
}

} // namespace senteval::compare
