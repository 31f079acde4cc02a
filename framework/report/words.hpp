// words.hpp -- a comparison in words: marks, short numbers, the answer and what stands beside it.
#pragma once

#include "compare/comparison.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::report {

/// "reference", "same", "tied", "better", "worse", "no verdict"; empty where there is no value.
std::string_view name_of(compare::Verdict verdict);

/// Why there is no verdict: "fewer than 5 seeds". Empty where there is one.
std::string reason_for(compare::Open open);

/// A note as a line: "MR, CR: not the published data: ...".
std::string text_of(const compare::Note& note, const compare::Comparison& comparison);

/// A task's name as papers print it: "SICK-E", "STS-B learned", "TopConst".
std::string short_name(const std::string& task);

/// short_name(), with "*" where data of some row may not be the published set.
std::string heading_of(const compare::TaskComparison& task);

/// "=", "?", "▲" and "▼" (better and worse than the baseline), or "" where the row is worse than the best, or there is
/// no value. It stands behind a value, never where a sign could.
std::string mark_of(const compare::Comparison& comparison,
                    const compare::TaskComparison& task,
                    const compare::Entry& entry);

/// Whether bold print is for the entry: one of the "=" group, or better than the baseline.
bool is_bold(const compare::Comparison& comparison,
             const compare::TaskComparison& task,
             const compare::Entry& entry);

/// Legend of the marks that are there: "= best, or not significantly worse", ...; and on one line.
std::vector<std::string> legend_parts(const compare::Comparison& comparison);
std::string legend(const compare::Comparison& comparison);

/// The same with the row of half-widths; empty where there is no mark.
std::vector<std::string> table_legend(const compare::Comparison& comparison);

/// "72.6" and "0.6" of a percentage, ".474" of a correlation, else the metric's digits; "-" for NaN.
std::string short_number(double value, const results::Metric& metric);
std::string signed_short(double value, const results::Metric& metric);

/// A row's average like the values it is of.
std::string short_average(const compare::Comparison& comparison,
                          const compare::Average& average,
                          std::size_t row);

/// "[-.161, -.087]", in short numbers; empty where there is none.
std::string short_interval(const stats::Interval& interval, const results::Metric& metric);

/// The same with the metric's digits: "[70.97, 73.88]".
std::string full_interval(const stats::Interval& interval, const results::Metric& metric);
std::string signed_full(double value, const results::Metric& metric);

/// "<.0001", ".0310".
std::string p_text(double p);

/// "one seed", "5 seeds".
std::string seeds_text(std::size_t seeds);

/// "MR, CR and SUBJ".
std::string listed(const std::vector<std::string>& names);

/// Whether it is so of some entry: is(task, entry).
template <typename Is>
bool any_entry(const compare::Comparison& comparison, Is is)
{
    return std::ranges::any_of(comparison.tasks, [&](const compare::TaskComparison& task) {
        return std::ranges::any_of(task.entries,
                                   [&](const compare::Entry& entry) { return is(task, entry); });
    });
}

struct SummaryLine {
    std::string
        label; ///< of rows, a group of tasks, "open", "no verdict", "over tasks", "caution", "note"; or none
    std::string text;
};

/// The cautions of cells with what mends them: first below every table, and never shortened.
std::vector<SummaryLine> caution_lines(const compare::Comparison& comparison);

/// Who is better, in sentences: of two rows one; else who is best or tied in each group of tasks. Against a baseline a
/// line for each row. Nothing where there is no verdict.
std::vector<SummaryLine> answer_of(const compare::Comparison& comparison);

/// What holds over tasks, what has no verdict, and notes, of which the last counts those beyond `most_notes`.
std::vector<SummaryLine> remarks_of(const compare::Comparison& comparison,
                                    std::size_t most_notes = 4);

/// Cautions, answer and remarks.
std::vector<SummaryLine> summary_of(const compare::Comparison& comparison);

/// Number of tasks on which the row is best or "=", and of those on which it has a verdict.
struct Count {
    std::size_t best = 0;
    std::size_t of = 0;
};
Count count_of_best(const compare::Comparison& comparison, std::size_t row);

/// Against a baseline: better, worse, and neither.
struct Against {
    std::size_t better = 0;
    std::size_t worse = 0;
    std::size_t tied = 0;
};
Against count_against_baseline(const compare::Comparison& comparison, std::size_t row);

/// "5 seeds (SICK-E: one)" of the trained tasks; empty where nothing is trained.
std::string seeds_of(const compare::Comparison& comparison);

} // namespace senteval::report
