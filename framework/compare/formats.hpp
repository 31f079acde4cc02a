// formats.hpp -- the table of a run or a comparison, for people and for programs. A value is followed
// by "±" and its standard deviation over seeds, an interval always stands in brackets, "*" marks data
// that may not be the published set, "?" what cannot be compared.
#pragma once

#include "compare/comparison.hpp"
#include "core/json.hpp"
#include "report/table.hpp"

#include <string>

namespace senteval::compare {

/// Rows by tasks, with averages; then notes.
std::string to_terminal_table(const Comparison& comparison, const report::TerminalStyle& style);

/// Per task the rows with interval, difference to the reference and adjusted p-value, from the best
/// to the worst; then averages, notes and how to read it.
std::string to_terminal(const Comparison& comparison, const report::TerminalStyle& style);

/// Rows by tasks, with intervals where there are; the best, and what cannot be told from it, in bold.
std::string to_markdown(const Comparison& comparison);

/// The same as a table with caption for booktabs; a dagger where a row differs from the baseline at
/// level 5 %.
std::string to_latex(const Comparison& comparison);

/// "items", "items and seeds", "items and seeds and training sets".
std::string_view name_of(stats::Population population);

/// One line per row and task. `effect` is the difference over the standard deviation of the items'
/// differences; `values` are those of the seeds, with semicolons.
std::string to_csv(const Comparison& comparison);

core::Json to_json(const Comparison& comparison);

} // namespace senteval::compare
