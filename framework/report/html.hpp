// html.hpp -- a comparison as one HTML file that needs nothing else.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "compare/slices.hpp"
#include "report/errors.hpp"

#include <string>
#include <vector>

namespace senteval::report {

/// All that a report shows.
struct Page {
    const compare::Comparison& comparison;
    const compare::Results& results; ///< that the comparison is of
    std::string title = "Evaluation of sentence encoders";
    std::string program = {}; ///< name and version of what makes the report
    std::vector<compare::Slices> slices = {};
    std::vector<WorstErrors> errors = {};
};

/// Style, script and plots are inside, nothing is fetched. The same page gives the same bytes: the dates
/// shown are those of the results. Sections without content are left out.
std::string to_html(const Page& page);

} // namespace senteval::report
