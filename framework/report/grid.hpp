// grid.hpp -- rows by tasks, as terminal, Markdown and LaTeX show a comparison.
#pragma once

#include "compare/comparison.hpp"
#include "report/table.hpp"

#include <cstddef>
#include <vector>

namespace senteval::report {

struct GridStyle {
    bool exact = false;      ///< with the metric's digits, as results are printed; else short
    bool marks = true;       ///< of verdicts; bold print always is
    bool intervals = false;  ///< 95 % of scores, in small print
    bool deviations = false; ///< "±" and the standard deviation over seeds
    bool counts = true;      ///< a column "best or =", and a row of half-widths
};

struct Grid {
    TextTable table;
    std::vector<std::size_t> groups; ///< of the columns: those of a group stand together
};

/// Averages stand behind the last of their tasks.
Grid grid_of(const compare::Comparison& comparison, const GridStyle& style);

} // namespace senteval::report
