// formats.hpp -- a comparison for people and for programs.
#pragma once

#include "compare/comparison.hpp"
#include "compare/slices.hpp"
#include "core/json.hpp"
#include "report/table.hpp"

#include <string>
#include <vector>

namespace senteval::report {

/// Rows by tasks with marks, and in a few lines what it comes to (summary.hpp).
std::string to_terminal(const compare::Comparison& comparison, const TerminalStyle& style);

/// A block per task: intervals, differences to the reference, p-values, what would be detected.
std::string details_to_terminal(const compare::Comparison& comparison, const TerminalStyle& style);

/// The table of a run: values with the metrics' digits, no verdicts.
std::string values_to_terminal(const compare::Comparison& comparison, const TerminalStyle& style);

/// Which of a table a document has: values alone, or intervals and marks as well.
enum class Print { full, plain };

/// The "=" group is bold.
std::string to_markdown(const compare::Comparison& comparison, Print print = Print::full);

/// One tabular; `name` is its label and stands in its caption.
std::string
to_latex(const compare::Comparison& comparison, const std::string& name, Print print = Print::full);

/// A line per row and task, per pair and per mean rank: see README.md.
std::string to_csv(const compare::Comparison& comparison);
core::Json to_json(const compare::Comparison& comparison);

/// Mean ranks with bars that join what is not significantly different, and the tests.
std::string across_to_terminal(const compare::Comparison& comparison, std::size_t width);

/// A block per task and way of dividing, a line per row.
std::string slices_to_terminal(const std::vector<compare::Slices>& slices,
                               const TerminalStyle& style);
core::Json slices_to_json(const std::vector<compare::Slices>& slices);

} // namespace senteval::report
