// results_folder.hpp -- a result store as the reading commands want it.
#pragma once

#include "compare/results.hpp"

#include <filesystem>

namespace senteval::host {

/// The results of a store, tasks in catalogue order. Says on standard error which files it could not
/// use. Throws core::UsageError where there is no store, or no result in it.
compare::Results load_results(const std::filesystem::path& store);

} // namespace senteval::host
