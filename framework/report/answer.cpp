// The answer to what a comparison asks: who is better.
#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace senteval::report {
namespace {

using compare::Comparison;
using compare::Entry;
using compare::TaskComparison;
using compare::Verdict;
using Tasks = std::vector<const TaskComparison*>;

constexpr std::size_t most_named = 3; ///< tasks with an interval, or rows that are tied

/// Tasks on which somebody is known to be the best, by their group.
std::vector<std::pair<std::string, Tasks>> answered(const Comparison& comparison)
{
    std::vector<std::pair<std::string, Tasks>> groups;
    for (const TaskComparison& task : comparison.tasks) {
        if (!task.reference || task.is_open || comparison.rows.size() < 2)
            continue;
        auto at = std::ranges::find(groups, task.group, &decltype(groups)::value_type::first);
        if (at == groups.end())
            at = groups.insert(at, {task.group, {}});
        at->second.push_back(&task);
    }
    return groups;
}

/// "by 15.7 points [5.3, 26.0]": how much better the reference is than the entry.
std::string by_how_much(const TaskComparison& task, const Entry& entry)
{
    const compare::Difference& difference = entry.difference;
    const bool is_less = difference.value < 0;
    const stats::Interval size =
        is_less ? stats::Interval{-difference.interval.high, -difference.interval.low}
                : difference.interval;
    return fmt::format("by {}{} {}", short_number(std::abs(difference.value), task.metric),
                       task.metric.unit == results::percent ? " points" : "",
                       short_interval(size, task.metric));
}

/// "MR by 1.2 points [0.3, 2.1], CR by ... and 3 more" of tasks on which the row is worse than the reference.
std::string leads_over(std::size_t row, const Tasks& tasks)
{
    std::vector<std::string> named;
    for (const TaskComparison* task : tasks)
        if (named.size() < most_named)
            named.push_back(short_name(task->task) + " " + by_how_much(*task, task->entries[row]));
    if (tasks.size() > named.size())
        named.push_back(fmt::format("{} more", tasks.size() - named.size()));
    return listed(named);
}

std::string names_of(const Tasks& tasks)
{
    std::vector<std::string> names;
    for (const TaskComparison* task : tasks)
        names.push_back(short_name(task->task));
    return fmt::format("{}", fmt::join(names, ", "));
}

/// "onehot is better on TREC by 15.7 points [5.3, 26.0]; no significant difference on CR, STS14."
std::string answer_on_two(const Comparison& comparison, const Tasks& tasks)
{
    Tasks tied;
    std::vector<std::string> parts;
    for (const std::size_t row : {0, 1}) {
        Tasks led;
        for (const TaskComparison* task : tasks)
            if (task->reference == row && task->entries[1 - row].verdict == Verdict::worse)
                led.push_back(task);
        if (!led.empty())
            parts.push_back(
                fmt::format("{} is better on {}", comparison.rows[row], leads_over(1 - row, led)));
    }
    for (const TaskComparison* task : tasks)
        if (std::ranges::none_of(
                task->entries, [](const Entry& entry) { return entry.verdict == Verdict::worse; }))
            tied.push_back(task);
    if (!tied.empty())
        parts.push_back((parts.empty() ? "No" : "no") +
                        (" significant difference on " + names_of(tied)));
    return fmt::format("{}.", fmt::join(parts, "; "));
}

std::size_t times_best(const Tasks& tasks, std::size_t row)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        tasks, [&](const TaskComparison* task) { return task->is_among_best(row); }));
}

/// The row that is best or tied on most of the tasks; of equals the first.
std::size_t best_row(const Comparison& comparison, const Tasks& tasks)
{
    std::size_t best = 0;
    for (std::size_t row = 1; row < comparison.rows.size(); ++row)
        if (times_best(tasks, row) > times_best(tasks, best))
            best = row;
    return best;
}

/// "GloVe SIF is best or tied on 4 of 5; BOREP is better on SUBJ by 12.7 points [5.0, 20.4]"
std::string answer_on_group(const Comparison& comparison, const Tasks& tasks)
{
    const std::size_t row = best_row(comparison, tasks);
    const std::size_t best = times_best(tasks, row);
    std::vector<std::string> parts = {
        fmt::format("{} is best or tied on {}", comparison.rows[row],
                    tasks.size() == 1      ? names_of(tasks)
                    : best == tasks.size() ? fmt::format("all {}", best)
                                           : fmt::format("{} of {}", best, tasks.size()))};
    std::map<std::size_t, Tasks> leaders;
    for (const TaskComparison* task : tasks)
        if (task->entries[row].verdict == Verdict::worse)
            leaders[*task->reference].push_back(task);
    for (const auto& [leader, led] : leaders)
        parts.push_back(
            fmt::format("{} is better on {}", comparison.rows[leader], leads_over(row, led)));
    std::vector<std::string> equals;
    for (std::size_t other = 0; best == tasks.size() && other < comparison.rows.size(); ++other)
        if (other != row && times_best(tasks, other) == best)
            equals.push_back(comparison.rows[other]);
    if (equals.size() > most_named)
        parts.push_back(fmt::format("so are {} others", equals.size()));
    else if (!equals.empty())
        parts.push_back(fmt::format("so {} {}", equals.size() == 1 ? "is" : "are", listed(equals)));
    return fmt::format("{}.", fmt::join(parts, "; "));
}

/// A significant difference to the reference of a task.
struct Found {
    const TaskComparison* task = nullptr;
    const Entry* entry = nullptr;

    /// Size of the difference in standard errors.
    [[nodiscard]] double size() const
    {
        return std::abs(entry->difference.value / entry->difference.standard_error);
    }
};

/// The row's differences of that verdict, the clearest first.
std::vector<Found> found(const Comparison& comparison, std::size_t row, Verdict verdict)
{
    std::vector<Found> all;
    for (const TaskComparison& task : comparison.tasks)
        if (task.entries[row].verdict == verdict)
            all.push_back({&task, &task.entries[row]});
    std::ranges::stable_sort(all,
                             [](const Found& a, const Found& b) { return a.size() > b.size(); });
    return all;
}

/// "worse on 2 (CR -1.2, MR -0.8)"
std::string counted_text(std::string_view what, const std::vector<Found>& tasks)
{
    std::vector<std::string> named;
    for (std::size_t at = 0; at < std::min(tasks.size(), most_named); ++at)
        named.push_back(
            fmt::format("{} {}", short_name(tasks[at].task->task),
                        signed_short(tasks[at].entry->difference.value, tasks[at].task->metric)));
    if (tasks.size() > most_named)
        named.emplace_back("...");
    return named.empty() ? fmt::format("{} on none", what)
                         : fmt::format("{} on {} ({})", what, tasks.size(), fmt::join(named, ", "));
}

/// Against the baseline; empty where the row has no verdict.
std::string row_text(const Comparison& comparison, std::size_t row)
{
    const Against count = count_against_baseline(comparison, row);
    if (count.better + count.worse + count.tied == 0)
        return "";
    std::string text = fmt::format(
        "{}, {}, tied on {}", counted_text("better", found(comparison, row, Verdict::better)),
        counted_text("worse", found(comparison, row, Verdict::worse)), count.tied);
    std::vector<std::string> equivalent;
    for (const TaskComparison& task : comparison.tasks)
        if (task.entries[row].difference.p_equivalent <= compare::level)
            equivalent.push_back(short_name(task.task));
    return equivalent.empty() ? text : text + "; ≈ on " + listed(equivalent);
}

/// Rows that have the same text share a line.
std::vector<SummaryLine> lines_against_baseline(const Comparison& comparison)
{
    std::vector<SummaryLine> lines;
    for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
        const std::string text = row_text(comparison, row);
        if (text.empty() || comparison.rows[row] == comparison.options.baseline)
            continue;
        const auto same = std::ranges::find(lines, text, &SummaryLine::text);
        if (same == lines.end())
            lines.push_back({comparison.rows[row], text});
        else
            same->label += ", " + comparison.rows[row];
    }
    return lines;
}

} // namespace

std::vector<SummaryLine> answer_of(const Comparison& comparison)
{
    if (!comparison.options.baseline.empty())
        return lines_against_baseline(comparison);
    const auto groups = answered(comparison);
    Tasks all;
    for (const auto& [name, tasks] : groups)
        all.insert(all.end(), tasks.begin(), tasks.end());
    if (all.empty() || !comparison.tested)
        return {};
    if (comparison.rows.size() == 2)
        return {{"", answer_on_two(comparison, all)}};
    std::vector<SummaryLine> lines;
    if (const std::size_t best = best_row(comparison, all);
        groups.size() > 1 && times_best(all, best) < all.size())
        lines.push_back({"", "No encoder is best or tied everywhere."});
    else if (groups.size() > 1)
        return {{"", answer_on_group(comparison, all)}};
    for (const auto& [name, tasks] : groups)
        lines.push_back({groups.size() > 1 ? name : "", answer_on_group(comparison, tasks)});
    return lines;
}

} // namespace senteval::report
