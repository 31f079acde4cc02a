// assemble.hpp -- from results and their comparison to all that a report shows.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "report/document.hpp"
#include "stats/bootstrap.hpp"

#include <map>
#include <string>

namespace senteval::compare {

struct AssembleOptions {
    std::string title;                         ///< empty: the report's own
    std::string program;                       ///< name and version of what makes the report
    std::map<std::string, std::string> groups; ///< task -> group; others are "custom"
    stats::Resampling resampling;
};

/// `comparison` is that of the results against the best of each task. The worst errors are not in
/// it: they need the datasets (see errors.hpp). The same results give the same document: the dates
/// shown are those of the results.
report::Document
assemble(const Results& results, const Comparison& comparison, const AssembleOptions& options);

} // namespace senteval::compare
