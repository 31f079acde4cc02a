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

constexpr std::size_t most_tasks = 5; ///< or rows of one list: of more the rest is counted

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
        const std::size_t more = names.size() - most_tasks + 1;
        names.resize(most_tasks - 1);
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

std::vector<SummaryLine> remarks_of(const Comparison& comparison, std::size_t most_notes)
{
    std::vector<SummaryLine> lines;
    if (comparison.across)
        lines.push_back({"over tasks", across_text(comparison)});
    if (comparison.missing_seeds)
        lines.push_back({"open", open_text(*comparison.missing_seeds, comparison.rows.size())});
    if (std::string text = no_verdict_text(comparison); !text.empty())
        lines.push_back({"no verdict", std::move(text)});
    std::vector<std::string> notes;
    for (const compare::Note& note : comparison.notes)
        if (std::string text = text_of(note, comparison);
            !text.empty() && std::ranges::find(notes, text) == notes.end())
            notes.push_back(std::move(text));
    const std::size_t shown = notes.size() > most_notes ? most_notes - 1 : notes.size();
    for (std::size_t at = 0; at < shown; ++at)
        lines.push_back({"note", notes[at]});
    if (shown < notes.size())
        lines.push_back({"note", fmt::format("{} more: --details", notes.size() - shown)});
    return lines;
}

std::vector<SummaryLine> summary_of(const Comparison& comparison)
{
    std::vector<SummaryLine> lines = caution_lines(comparison);
    std::ranges::move(answer_of(comparison), std::back_inserter(lines));
    std::ranges::move(remarks_of(comparison), std::back_inserter(lines));
    return lines;
}

} // namespace senteval::report
