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
using compare::Open;
using compare::TaskComparison;
using compare::Verdict;

constexpr std::size_t fewest_rows = 3; ///< that are spoken of
constexpr std::size_t most_named = 3;  ///< tasks in one list
constexpr std::size_t most_worse = 2;  ///< with their intervals
constexpr std::size_t most_tasks = 6;  ///< with a reason in common

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

/// "worse on 3: STS14 (mine leads, -.124 [-.161, -.087]), STS16 (lstm leads, ...), ..."
std::string worse_text(const Comparison& comparison, std::size_t row)
{
    const std::vector<Found> worse = found(comparison, row, Verdict::worse);
    std::vector<std::string> named;
    for (std::size_t at = 0; at < std::min(worse.size(), most_worse); ++at) {
        const auto& [task, entry] = worse[at];
        named.push_back(fmt::format("{} ({} leads, {} {})", short_name(task->task),
                                    comparison.rows[task->reference.value()],
                                    signed_short(entry->difference.value, task->metric),
                                    short_interval(entry->difference.interval, task->metric)));
    }
    if (worse.size() > most_worse)
        named.emplace_back("...");
    return named.empty() ? ""
                         : fmt::format("worse on {}: {}", worse.size(), fmt::join(named, ", "));
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

std::string row_text(const Comparison& comparison, std::size_t row)
{
    std::vector<std::string> parts;
    if (comparison.options.baseline.empty()) {
        const Count count = count_of_best(comparison, row);
        if (count.of == 0)
            return "";
        const std::string of = count.of > 1 && count.best == count.of
                                   ? fmt::format("all {}", count.of)
                                   : fmt::format("{} of {}", count.best, count.of);
        parts.push_back("best or tied on " + (count.best == 0 ? "none" : of));
        if (std::string worse = worse_text(comparison, row); !worse.empty())
            parts.push_back(std::move(worse));
    } else {
        const Against count = count_against_baseline(comparison, row);
        if (count.better + count.worse + count.tied == 0)
            return "";
        parts.push_back(fmt::format(
            "{}, {}, tied on {}", counted_text("better", found(comparison, row, Verdict::better)),
            counted_text("worse", found(comparison, row, Verdict::worse)), count.tied));
    }
    std::vector<std::string> equivalent;
    for (const TaskComparison& task : comparison.tasks)
        if (task.entries[row].difference.p_equivalent <= compare::level)
            equivalent.push_back(short_name(task.task));
    if (!equivalent.empty())
        parts.push_back(fmt::format("≈ on {}", listed(equivalent)));
    return fmt::format("{}", fmt::join(parts, "; "));
}

/// Rows that have the same text share a line.
std::vector<SummaryLine> row_lines(const Comparison& comparison)
{
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < comparison.rows.size(); ++row)
        if (comparison.rows[row] != comparison.options.baseline)
            order.push_back(row);
    const auto rank = [&](std::size_t row) {
        const Against against = count_against_baseline(comparison, row);
        return comparison.options.baseline.empty()
                   ? std::pair(count_of_best(comparison, row).best, std::size_t{0})
                   : std::pair(against.better, comparison.tasks.size() - against.worse);
    };
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
    std::vector<SummaryLine> lines;
    for (const std::size_t row : order) {
        const std::string text = row_text(comparison, row);
        if (text.empty())
            continue;
        const auto same = std::ranges::find(lines, text, &SummaryLine::text);
        if (same == lines.end())
            lines.push_back({comparison.rows[row], text});
        else
            same->label += ", " + comparison.rows[row];
    }
    return lines;
}

std::string across_text(const Comparison& comparison)
{
    const compare::AcrossTasks& across = *comparison.across;
    if (across.rows.empty())
        return "no two rows share two tasks";
    std::vector<std::string> tied;
    for (const compare::AcrossPair& pair : across.pairs)
        if (pair.first == across.rows.front() && pair.p_value > compare::level)
            tied.push_back(comparison.rows[pair.second]);
    const std::size_t others = across.rows.size() - 1;
    // All signed ranks on one side: 2 / 2^tasks, which Holm multiplies by the number of pairs.
    const double least_p = std::ldexp(static_cast<double>(across.pairs.size()),
                                      1 - static_cast<int>(across.tasks.size()));
    return fmt::format(
        "{} has the best mean rank, {:.2f} over {} tasks; {}", comparison.rows[across.rows.front()],
        across.mean_ranks.front(), across.tasks.size(),
        tied.empty()               ? "significantly better than every other row"
        : tied.size() < others     ? "not significantly better than " + listed(tied)
        : least_p > compare::level ? "so few tasks cannot separate so many rows by this test"
                                   : "not significantly better than any other row");
}

std::string some_of(std::vector<std::string> names)
{
    if (names.size() > most_tasks) {
        const std::size_t more = names.size() - most_tasks;
        names.resize(most_tasks);
        names.push_back(fmt::format("{} more", more));
        return listed(names);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string open_text(const compare::MissingSeeds& missing, std::size_t rows)
{
    std::vector<std::string> names;
    for (const std::string& task : missing.tasks)
        names.push_back(short_name(task));
    std::string text =
        fmt::format("{}: {} ({}).  senteval run ... --tasks {} --seeds {}", some_of(names),
                    reason_for(Open::few_seeds),
                    missing.rows.size() == rows ? "every row" : some_of(missing.rows),
                    fmt::join(missing.tasks, ","), compare::fewest_seeds);
    if (!std::isnan(missing.seconds))
        text += missing.seconds < 120
                    ? fmt::format("   about {:.0f} s", std::max(missing.seconds, 1.0))
                    : fmt::format("   about {:.0f} min", missing.seconds / 60);
    return text;
}

/// Other reasons than missing seeds, each with its tasks.
std::string no_verdict_text(const Comparison& comparison)
{
    std::map<Open, std::vector<std::string>> by_reason;
    for (const TaskComparison& task : comparison.tasks)
        for (const Entry& entry : task.entries) {
            const Open open = entry.difference.open;
            if (entry.verdict != Verdict::unknown || open == Open::no || open == Open::alone ||
                open == Open::caution || (open == Open::few_seeds && comparison.missing_seeds))
                continue;
            auto& tasks = by_reason[open];
            if (const std::string name = short_name(task.task);
                std::ranges::find(tasks, name) == tasks.end())
                tasks.push_back(name);
        }
    std::vector<std::string> parts;
    for (const auto& [open, tasks] : by_reason)
        parts.push_back(fmt::format("{}: {}", some_of(tasks), reason_for(open)));
    return fmt::format("{}", fmt::join(parts, "; "));
}

} // namespace

Count count_of_best(const Comparison& comparison, std::size_t row)
{
    Count count;
    for (const TaskComparison& task : comparison.tasks) {
        const Entry& entry = task.entries[row];
        const std::string mark = mark_of(comparison, task, entry);
        if (mark == "=")
            ++count.best;
        if (mark == "=" || entry.verdict == Verdict::worse)
            ++count.of;
    }
    return count;
}

Against count_against_baseline(const Comparison& comparison, std::size_t row)
{
    Against count;
    for (const TaskComparison& task : comparison.tasks) {
        const Verdict verdict = task.entries[row].verdict;
        count.better += verdict == Verdict::better ? 1 : 0;
        count.worse += verdict == Verdict::worse ? 1 : 0;
        count.tied += verdict == Verdict::tied || verdict == Verdict::same ? 1 : 0;
    }
    return count;
}

std::string seeds_of(const Comparison& comparison)
{
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::string>> tasks;
    for (const TaskComparison& task : comparison.tasks) {
        std::size_t least = 0;
        std::size_t most = 0;
        for (const Entry& entry : task.entries)
            if (entry.has_value() && !entry.score.deterministic) {
                least = least == 0 ? entry.score.seeds : std::min(least, entry.score.seeds);
                most = std::max(most, entry.score.seeds);
            }
        if (task.trained && most > 0)
            tasks[{least, most}].push_back(short_name(task.task));
    }
    if (tasks.empty())
        return "";
    const auto text = [](const std::pair<std::size_t, std::size_t>& seeds) {
        return seeds.first == seeds.second
                   ? seeds_text(seeds.first)
                   : fmt::format("{} to {} seeds", seeds.first, seeds.second);
    };
    const auto usual = std::ranges::max_element(
        tasks, {}, [](const auto& one) { return std::pair(one.second.size(), one.first); });
    std::vector<std::string> others;
    for (auto at = tasks.begin(); at != tasks.end(); ++at)
        if (at != usual)
            others.push_back(fmt::format("{}: {}", some_of(at->second), text(at->first)));
    return text(usual->first) +
           (others.empty() ? "" : fmt::format(" ({})", fmt::join(others, "; ")));
}

std::vector<SummaryLine> caution_lines(const Comparison& comparison)
{
    struct Found {
        results::Caution first;
        std::vector<std::string> tasks, rows;
    };
    std::map<std::string, Found> by_code;
    for (const TaskComparison& task : comparison.tasks)
        for (std::size_t row = 0; row < task.entries.size(); ++row)
            for (const results::Caution& caution : task.entries[row].cautions) {
                Found& found = by_code[caution.code];
                if (found.tasks.empty())
                    found.first = caution;
                compare::add_distinct(std::vector{task.task}, found.tasks);
                compare::add_distinct(std::vector{comparison.rows[row]}, found.rows);
            }
    std::vector<SummaryLine> lines;
    for (const auto& [code, found] : by_code)
        lines.push_back(
            {"caution",
             fmt::format("{} ({}): no verdict, as {}.  senteval run ... --tasks {} {}",
                         fmt::join(found.tasks, ", "),
                         found.rows.size() == comparison.rows.size()
                             ? "every row"
                             : fmt::format("{}", fmt::join(found.rows, ", ")),
                         found.first.text, fmt::join(found.tasks, ","), found.first.mend)});
    return lines;
}

std::vector<SummaryLine> summary_of(const Comparison& comparison, std::size_t most_lines)
{
    std::vector<SummaryLine> after;
    if (comparison.across)
        after.push_back({"over tasks", across_text(comparison)});
    if (comparison.missing_seeds)
        after.push_back({"open", open_text(*comparison.missing_seeds, comparison.rows.size())});
    if (std::string text = no_verdict_text(comparison); !text.empty())
        after.push_back({"no verdict", std::move(text)});
    std::vector<std::string> cautions;
    for (const compare::Note& note : comparison.notes)
        if (std::string text = text_of(note, comparison);
            !text.empty() && std::ranges::find(cautions, text) == cautions.end())
            cautions.push_back(std::move(text));
    std::vector<SummaryLine> lines = row_lines(comparison);
    const std::size_t shown = std::min(lines.size(), fewest_rows);
    for (std::string& caution : cautions)
        if (after.empty() || after.back().label != "caution" || after.size() + shown < most_lines)
            after.push_back({"caution", std::move(caution)});
        else
            after.back().text += ".  " + caution;
    const std::size_t room = most_lines - std::min(most_lines, after.size());
    if (lines.size() > std::max(room, fewest_rows)) {
        lines.resize(std::max(room, fewest_rows + 1) - 1);
        lines.push_back({"other rows", comparison.options.baseline.empty() ? "see \"best or =\""
                                                                           : "see \"+ / = / -\""});
    }
    std::ranges::move(after, std::back_inserter(lines));
    return lines;
}

} // namespace senteval::report
