#include "compare/comparison.hpp"
#include "base/error.hpp"
#include "base/names.hpp"
#include "base/parallel.hpp"
#include "compare/judge.hpp"
#include "stats/multiple.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace senteval::compare {
namespace {

std::optional<std::size_t> row_called(const Results& results, const std::string& label)
{
    if (label.empty())
        return std::nullopt;
    const std::vector<const Row*> called = results.rows_called(label);
    if (called.size() == 1)
        return static_cast<std::size_t>(called.front() - results.rows().data());
    std::vector<std::string> labels;
    for (const Row& row : results.rows())
        if (called.empty() || std::ranges::find(called, &row) != called.end())
            labels.push_back(row.label);
    if (!called.empty())
        throw base::UsageError("--baseline: several rows are called '{}': {}. Give one of these",
                               label, fmt::join(labels, ", "));
    throw base::UsageError("--baseline: there is no row '{}'.{} There are: {}", label,
                           base::did_you_mean(label, labels), fmt::join(labels, ", "));
}

/// The metric of a name as people write it: "MSE" is "mse". A name of a statistic, such as "spearman", is the metric
/// made of the items as the headline is, else the first of that statistic. nullptr where there is none.
const results::Metric* metric_of_name(const std::vector<results::Metric>& metrics,
                                      const std::string& name)
{
    const std::string folded = base::folded(name);
    const results::Metric* found = results::find_metric(metrics, name);
    const auto find = [&](auto is) {
        const auto at = std::ranges::find_if(metrics, is);
        if (found == nullptr && at != metrics.end())
            found = &*at;
    };
    const results::Source& headline = metrics.front().source;
    find([&](const results::Metric& any) { return base::folded(any.path) == folded; });
    find([&](const results::Metric& any) {
        return base::folded(any.source.statistic) == folded && any.source.over == headline.over &&
               any.source.groups == headline.groups && any.source.series == headline.series;
    });
    find([&](const results::Metric& any) { return base::folded(any.source.statistic) == folded; });
    return found;
}

/// The first of the names, with commas between, that the task has; its headline where there is none.
const results::Metric* metric_called(const std::vector<results::Metric>& metrics,
                                     const std::string& names)
{
    if (names.empty())
        return &metrics.front();
    for (std::size_t at = 0; at <= names.size();) {
        const std::size_t end = std::min(names.find(',', at), names.size());
        if (const results::Metric* found = metric_of_name(metrics, names.substr(at, end - at)))
            return found;
        at = end + 1;
    }
    return nullptr;
}

[[noreturn]] void fail_unknown_metric(const Results& results, const std::string& path)
{
    std::vector<std::string> known;
    std::set<std::string> headlines;
    for (std::size_t task = 0; task < results.tasks().size(); ++task) {
        headlines.insert(results.metrics(task).front().path);
        for (const results::Metric& metric : results.metrics(task))
            if (std::ranges::any_of(results.rows(), [&](const Row& row) {
                    return std::ranges::any_of(row.tasks[task], [&](const results::Cell* cell) {
                        return metric.value_in(cell->result.metrics).has_value();
                    });
                }))
                known.push_back(metric.path);
    }
    throw base::UsageError("--metric: encoders cannot be compared by '{}'.{} The tables show {}; "
                           "'senteval tasks --json' lists the metrics of every task",
                           path, base::did_you_mean(path, known), fmt::join(headlines, ", "));
}

/// The tasks that have the metric, and some value of it.
std::vector<TaskComparison> judged_tasks(const Results& results, const Options& options)
{
    const auto baseline = row_called(results, options.baseline);
    std::vector<std::optional<TaskComparison>> all(results.tasks().size());
    base::parallel_for(all.size(), options.threads, [&](std::size_t task) {
        const results::Metric* metric = metric_called(results.metrics(task), options.metric);
        if (metric == nullptr)
            return;
        TaskComparison column = judge(results, task, *metric, baseline, options);
        if (options.metric.empty() || std::ranges::any_of(column.entries, &Entry::has_value))
            all[task] = std::move(column);
    });
    std::vector<TaskComparison> tasks;
    for (auto& column : all)
        if (column)
            tasks.push_back(std::move(*column));
    if (tasks.empty())
        fail_unknown_metric(results, options.metric);
    if (options.margin > 0 &&
        std::ranges::none_of(tasks, [](const auto& any) { return points(any.metric).has_value(); }))
        throw base::UsageError("--margin is in points (1 % of an accuracy, 0.01 of a correlation), "
                               "of which '{}' has none",
                               tasks.front().metric.path);
    return tasks;
}

Comparison rows_of(const Results& results)
{
    Comparison table;
    for (const Row& row : results.rows()) {
        table.rows.push_back(row.label);
        table.dimensions.push_back(row.dimension);
    }
    return table;
}

/// Adds the encoder's failure to its rows without a result of the task, or a row for it.
void add_failure(Comparison& table, const Results& results, const Failure& failure)
{
    auto column = std::ranges::find(table.tasks, failure.task, &TaskComparison::task);
    if (column == table.tasks.end()) {
        column = table.tasks.insert(
            column, {failure.task, results.known(failure.task).group, failure.metric});
        column->entries.resize(table.rows.size());
    }
    bool has_row = false;
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        if (row < results.rows().size() ? results.rows()[row].encoder == failure.encoder
                                        : table.rows[row] == failure.encoder) {
            column->entries[row].failed = true;
            has_row = true;
        }
    if (has_row)
        return;
    table.rows.push_back(failure.encoder);
    table.dimensions.push_back(0);
    for (TaskComparison& task : table.tasks)
        task.entries.emplace_back();
    column->entries.back().failed = true;
}

/// Adds the mean over the tasks that `is_in`.
template <typename IsIn>
void add_average(Comparison& table, std::string name, IsIn is_in)
{
    Average average{std::move(name), 0, {}, std::vector<double>(table.rows.size())};
    for (const TaskComparison& task : table.tasks) {
        if (!is_in(task))
            continue;
        average.tasks.push_back(task.task);
        average.digits = std::max(average.digits, task.metric.digits);
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            average.values[row] += task.entries[row].score.value; // NaN stays
    }
    if (average.tasks.size() < 2)
        return;
    for (double& value : average.values)
        value /= static_cast<double>(average.tasks.size());
    table.averages.push_back(std::move(average));
}

void add_averages(Comparison& table)
{
    add_average(table, "avg %", [](const TaskComparison& task) {
        return task.group == "transfer" && task.metric.unit == results::percent;
    });
    add_average(table, "avg r", [](const TaskComparison& task) {
        return task.group == "similarity" && !task.trained &&
               task.metric.unit == results::correlation;
    });
}

/// The results that are missing for tasks that are open for want of seeds.
std::optional<MissingSeeds> missing_seeds(const Results& results, const Comparison& table)
{
    MissingSeeds missing;
    missing.seconds = 0;
    for (const TaskComparison& task : table.tasks) {
        if (std::ranges::none_of(task.entries, [](const Entry& entry) {
                return entry.verdict == Verdict::unknown &&
                       entry.difference.open == Open::few_seeds;
            }))
            continue;
        missing.tasks.push_back(task.task);
        const std::size_t at = index_of(results, task.task);
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const std::size_t seeds = task.entries[row].score.seeds;
            const Runs& runs = results.rows()[row].tasks[at];
            if (seeds == 0 || seeds >= fewest_seeds || task.entries[row].score.deterministic ||
                runs.front()->result.imported)
                continue;
            add_distinct(std::vector{table.rows[row]}, missing.rows);
            missing.cells += fewest_seeds - seeds;
            double seconds = 0;
            for (const results::Cell* cell : runs)
                seconds += cell->result.run.total_seconds() / static_cast<double>(runs.size());
            missing.seconds += seconds * static_cast<double>(fewest_seeds - seeds);
        }
    }
    return missing.cells == 0 ? std::nullopt : std::optional(std::move(missing));
}

/// Two values that are one but for the last places of what they are made of have one rank.
double on_a_grid(double points)
{
    constexpr double steps = 1e9;
    return std::round(points * steps) / steps;
}

/// Whether each row has a value, without a caution, on the same test items.
bool is_complete(const TaskComparison& task)
{
    return std::ranges::all_of(task.entries, [](const Entry& entry) {
        return entry.has_value() && entry.cautions.empty() &&
               entry.difference.open != Open::other_items;
    });
}

/// Scores of the rows, in points; more is better.
std::vector<double> scores_of(const TaskComparison& task)
{
    std::vector<double> scores;
    for (const Entry& entry : task.entries) {
        const double value = entry.score.value / points(task.metric).value_or(1.0);
        scores.push_back(on_a_grid(task.metric.higher_is_better ? value : -value));
    }
    return scores;
}

/// The longest runs of rows of which no two are different.
std::vector<std::pair<std::size_t, std::size_t>>
groups_of_rows(const std::vector<std::vector<bool>>& different)
{
    std::vector<std::pair<std::size_t, std::size_t>> groups;
    const std::size_t count = different.size();
    for (std::size_t first = 0; first < count; ++first) {
        std::size_t last = first;
        const auto fits = [&](std::size_t next) {
            for (std::size_t member = first; member < next; ++member)
                if (different[member][next])
                    return false;
            return true;
        };
        while (last + 1 < count && fits(last + 1))
            ++last;
        if (last > first && (groups.empty() || groups.back().second < last))
            groups.emplace_back(first, last);
    }
    return groups;
}

void compare_pairs(const std::vector<std::vector<double>>& scores, AcrossTasks& result)
{
    const std::size_t count = result.rows.size();
    std::vector<double> p_values;
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b) {
            AcrossPair pair{result.rows[a], result.rows[b]};
            std::vector<double> differences;
            for (const std::vector<double>& task : scores) {
                differences.push_back(on_a_grid(task[pair.first] - task[pair.second]));
                pair.better_on += differences.back() > 0 ? 1U : 0U;
            }
            p_values.push_back(stats::wilcoxon(differences));
            result.pairs.push_back(pair);
        }
    const auto adjusted = stats::holm(p_values);
    std::vector<std::vector<bool>> different(count, std::vector<bool>(count));
    std::size_t at = 0;
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b, ++at) {
            result.pairs[at].p_value = adjusted[at];
            different[a][b] = adjusted[at] < level;
        }
    result.groups = groups_of_rows(different);
}

/// The rows, the best first.
std::vector<std::size_t> best_first(const Comparison& table)
{
    using Rank = std::pair<int, double>;
    std::vector<Rank> ranks(table.rows.size());
    for (const TaskComparison& task : table.tasks) {
        const bool all_have = std::ranges::all_of(task.entries, &Entry::has_value);
        const auto scores = scores_of(task);
        for (std::size_t row = 0; row < ranks.size(); ++row) {
            const Entry& entry = task.entries[row];
            const bool counts = table.options.baseline.empty() ? task.is_among_best(row)
                                                               : entry.verdict == Verdict::better;
            ranks[row].first += counts ? 1 : 0;
            if (all_have && points(task.metric))
                ranks[row].second += scores[row];
        }
    }
    std::vector<std::size_t> order(ranks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t row) { return ranks[row]; });
    return order;
}

} // namespace

std::optional<double> points(const results::Metric& metric)
{
    if (!metric.has_common_unit())
        return std::nullopt;
    return metric.unit == results::correlation ? 0.01 : 1.0;
}

Comparison tabulate(const Results& results,
                    std::span<const Failure> failures,
                    std::span<const std::string> order,
                    const std::string& metric)
{
    Comparison table = rows_of(results);
    for (std::size_t task = 0; task < results.tasks().size(); ++task) {
        const results::Metric* called = metric_called(results.metrics(task), metric);
        table.tasks.push_back(
            scores_on(results, task, called == nullptr ? results.metrics(task).front() : *called));
    }
    for (const Failure& failure : failures)
        add_failure(table, results, failure);
    std::ranges::stable_sort(table.tasks, {}, [&](const TaskComparison& column) {
        return std::ranges::find(order, column.task) - order.begin();
    });
    add_averages(table);
    table.notes = notes_of(results, table);
    return table;
}

Comparison compare(const Results& results, const Options& options)
{
    Comparison comparison = rows_of(results);
    comparison.options = options;
    if (const auto baseline = row_called(results, options.baseline))
        comparison.options.baseline = results.rows()[*baseline].label;
    comparison.tested = true;
    comparison.tasks = judged_tasks(results, options);
    if (options.across_tasks)
        comparison.across = across_tasks(comparison.tasks, comparison.rows.size());
    add_averages(comparison);
    comparison.missing_seeds = missing_seeds(results, comparison);
    comparison.notes = notes_of(results, comparison);
    return comparison;
}

Comparison compare_best_first(Results& results, const Options& options)
{
    Comparison comparison = compare(results, options);
    std::vector<std::size_t> order = best_first(comparison);
    std::map<std::string, std::size_t> places; // of encoders, by their best row
    for (const std::size_t row : order)
        places.try_emplace(results.rows()[row].name(), places.size());
    std::ranges::sort(order);
    std::ranges::stable_sort(
        order, {}, [&](std::size_t row) { return places.at(results.rows()[row].name()); });
    if (std::ranges::is_sorted(order))
        return comparison;
    results.place_rows(order);
    return compare(results, options);
}

AcrossTasks across_tasks(std::span<const TaskComparison> tasks, std::size_t rows)
{
    AcrossTasks result;
    std::vector<std::vector<double>> scores; // [task][row]
    for (const TaskComparison& task : tasks) {
        const bool is_in = is_complete(task);
        (is_in ? result.tasks : result.left_out).push_back(task.task);
        if (is_in)
            scores.push_back(scores_of(task));
    }
    if (rows < 2 || scores.size() < 2)
        return result;
    result.friedman = stats::friedman(scores);
    result.rows.resize(rows);
    std::iota(result.rows.begin(), result.rows.end(), std::size_t{0});
    std::ranges::stable_sort(result.rows, {},
                             [&](std::size_t row) { return result.friedman.mean_ranks[row]; });
    for (const std::size_t row : result.rows)
        result.mean_ranks.push_back(result.friedman.mean_ranks[row]);
    for (const std::vector<double>& ranks : result.friedman.ranks) {
        auto& in_order = result.ranks.emplace_back();
        for (const std::size_t row : result.rows)
            in_order.push_back(ranks[row]);
    }
    result.intervals = stats::mean_rank_intervals(result.ranks);
    compare_pairs(scores, result);
    return result;
}

} // namespace senteval::compare
