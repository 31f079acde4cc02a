// results_folder.hpp -- a result store as the reading commands want it.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "report/document.hpp"

#include <CLI/App.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace senteval::host {

/// The results of a store, tasks in catalogue order. Says on standard error which files it could not
/// use. Throws core::UsageError where there is no store, or no result in it.
compare::Results load_results(const std::filesystem::path& store);

/// --errors N and --data DIR: the sentences that encoders got most wrong.
struct ErrorsOptions {
    std::size_t count = 0; ///< per encoder and task; 0: not asked for
    std::string data;
};

void add_errors_options(CLI::App& command, ErrorsOptions& options);

/// Says on standard error which tasks it could not look at.
std::vector<report::WorstErrors> worst_errors(const compare::Results& results,
                                              const compare::Comparison& comparison,
                                              const ErrorsOptions& options);

} // namespace senteval::host
