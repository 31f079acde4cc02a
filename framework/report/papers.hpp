// papers.hpp -- tables as papers print them: their tasks, their metric, their headings, an average.
#pragma once

#include "compare/comparison.hpp"
#include "report/formats.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::report {

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

/// Throws core::UsageError for a name that is none.
const PaperTable& paper_table(std::string_view name);

/// The table's tasks, in its order: correlations times 100, two digits, and the average of all.
compare::Comparison as_printed(compare::Comparison comparison, const PaperTable& table);

/// Rows by tasks; marks but for Print::plain.
std::string
paper_to_terminal(const compare::Comparison& printed, const TerminalStyle& style, Print print);

/// "encoder,STS12,...,Avg.": values as printed.
std::string paper_to_csv(const compare::Comparison& printed);

} // namespace senteval::report
