// formats.hpp -- a comparison for people and for programs: rows by tasks, tables of papers, CSV and JSON.
#pragma once

#include "base/json.hpp"
#include "compare/comparison.hpp"
#include "compare/cost.hpp"
#include "compare/gate.hpp"
#include "compare/loss.hpp"
#include "compare/slices.hpp"
#include "compare/stack.hpp"
#include "report/table.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::report {

/// Rows by tasks with marks, and a summary of a few lines (summary.hpp).
std::string to_terminal(const compare::Comparison& comparison, const TerminalStyle& style);

/// Cautions and notes, a line each.
std::string notes_to_terminal(const compare::Comparison& comparison, const TerminalStyle& style);

/// A block per task: intervals, differences to the reference, p-values, what would be detected.
std::string details_to_terminal(const compare::Comparison& comparison, const TerminalStyle& style);

/// The table of a run: values with the metrics' digits, no verdicts.
std::string values_to_terminal(const compare::Comparison& comparison, const TerminalStyle& style);

/// The columns of a document's tables: values alone, or intervals and marks as well.
enum class Print { full, plain };

/// The "=" group is bold.
std::string to_markdown(const compare::Comparison& comparison, Print print = Print::full);

/// A tabular; `name` is its label and in its caption.
std::string
to_latex(const compare::Comparison& comparison, const std::string& name, Print print = Print::full);

/// A line per row and task, per pair and per mean rank: see README.md.
std::string to_csv(const compare::Comparison& comparison);
base::Json to_json(const compare::Comparison& comparison);

/// Mean ranks with bars that join what is not significantly different, and the tests.
std::string across_to_terminal(const compare::Comparison& comparison, std::size_t width);

/// A block per task and way of dividing, a line per row.
std::string slices_to_terminal(const std::vector<compare::Slices>& slices,
                               const TerminalStyle& style);
base::Json slices_to_json(const std::vector<compare::Slices>& slices);

/// For each encoder and unit a line for each of its smaller vectors, and what to take.
std::string losses_to_terminal(const std::vector<compare::Losses>& all,
                               const compare::Comparison& comparison,
                               const TerminalStyle& style);
base::Json losses_to_json(const std::vector<compare::Losses>& all,
                          const compare::Comparison& comparison);

/// A line per row: quality, dimension, bytes, speed and memory.
std::string costs_to_terminal(const compare::Costs& costs,
                              const compare::Comparison& comparison,
                              const TerminalStyle& style);
base::Json costs_to_json(const compare::Costs& costs, const compare::Comparison& comparison);

/// A table for each row: may it take the baseline's place?
std::string gates_to_terminal(const std::vector<compare::Gate>& gates,
                              const compare::Comparison& comparison,
                              const TerminalStyle& style);
base::Json gates_to_json(const std::vector<compare::Gate>& gates,
                         const compare::Comparison& comparison);

/// A test suite for each row, a test for each task: no is a failure, could not tell an error.
std::string gates_to_junit(const std::vector<compare::Gate>& gates,
                           const compare::Comparison& comparison);

/// A table for each search: the steps, and what each adds.
std::string stacks_to_terminal(const std::vector<compare::StackTask>& tasks,
                               const TerminalStyle& style);
base::Json stacks_to_json(const std::vector<compare::StackTask>& tasks);

struct GridStyle {
    bool exact = false;         ///< with the metric's digits, as results are printed; else short
    bool marks = true;          ///< of verdicts; bold print always is
    bool intervals = false;     ///< 95 % of scores, in small print
    bool deviations = false;    ///< "±" and the standard deviation over seeds
    bool counts = true;         ///< a column "best or =", and a row of half-widths
    bool averages_first = true; ///< beside the name; else behind the tasks, as papers print them
};

struct Grid {
    TextTable table;
    std::vector<std::size_t> groups; ///< of the columns: those of a group stand together
};

/// The grid; averages are behind the last of their tasks.
Grid grid_of(const compare::Comparison& comparison, const GridStyle& style);

struct PaperTable {
    std::string_view name; ///< "sts", "transfer", "probing"
    std::vector<std::string> tasks;
    std::string metric; ///< as --metric takes it
    bool has_average = true;
};

/// All that there are.
std::span<const PaperTable> paper_tables();

/// The table that is of exactly these tasks; nullptr where there is none.
const PaperTable* paper_table_of(std::span<const std::string> tasks);

/// Throws base::UsageError for a name that is none.
const PaperTable& paper_table(std::string_view name);

/// The table's tasks, in its order: correlations times 100, two digits, and the average of all.
compare::Comparison as_printed(compare::Comparison comparison, const PaperTable& table);

/// Rows by tasks; marks but for Print::plain.
std::string
paper_to_terminal(const compare::Comparison& printed, const TerminalStyle& style, Print print);

/// "encoder,STS12,...,Avg.": values as printed.
std::string paper_to_csv(const compare::Comparison& printed);

} // namespace senteval::report
