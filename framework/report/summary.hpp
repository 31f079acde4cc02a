// summary.hpp -- what a comparison comes to, in at most eight lines: which encoder to take, what is open, what to mind.
#pragma once

#include "compare/comparison.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace senteval::report {

struct SummaryLine {
    std::string label; ///< of a row or rows, or "open", "no verdict", "over tasks", "caution"
    std::string text;
};

/// The rows with the most "=" first, then what holds over tasks, what has no verdict, and cautions. At least three rows
/// are shown, whatever else is.
std::vector<SummaryLine> summary_of(const compare::Comparison& comparison,
                                    std::size_t most_lines = 8);

/// On how many tasks the row is best or "=", and of how many on which it has a verdict.
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
