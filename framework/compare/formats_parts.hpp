// formats_parts.hpp -- what the formats for people are made of.
#pragma once

#include "compare/comparison.hpp"
#include "compare/sayings.hpp"
#include "report/table.hpp"

#include <string>
#include <vector>

namespace senteval::compare {

/// "[70.97, 73.88]"; empty where there is none.
std::string interval_text(const stats::Interval& interval, const task::Metric& metric);

/// "+1.25"; empty for NaN.
std::string signed_number(double value, const task::Metric& metric);

/// "72.45", "72.65 ±0.25" over seeds, "72.45*" on doubtful data, "72.45†" where test items were trained
/// on, "72.45!" where some of it failed or was not stored, "failed", "-".
std::string value_text(const Entry& entry, const task::Metric& metric);

/// How an entry stands to the best, or to the baseline: see meaning_of_marks(); "?" where that is open.
char mark_of(const Comparison& comparison, const Entry& entry);

std::string meaning_of_marks(const Comparison& comparison);

std::string average_name(const Comparison& comparison, const Average& average);
std::string average_text(const Average& average, std::size_t row);

/// How to read the marks that there are: sentences. `with_differences`: whether they are shown.
std::string legend(const Comparison& comparison, bool with_differences);

/// Why rows of the task have no verdict, each reason once.
std::vector<std::string> open_questions(const TaskComparison& task);

/// The same of all tasks, with where that is: the task, and the rows where others of it have a verdict.
Sayings open_questions(const Comparison& comparison);

/// Sentences of that, and of the rows that cannot be compared.
std::vector<std::string> why_no_verdicts(const Comparison& comparison);

/// Of an entry without a verdict the reason; empty where there is one.
std::string
why_no_verdict(const Comparison& comparison, const TaskComparison& task, const Entry& entry);

/// Prose for a terminal: each note, and how to read the table.
std::string prose_of(const std::vector<std::string>& notes,
                     const std::string& legend,
                     const report::TerminalStyle& style);

} // namespace senteval::compare
