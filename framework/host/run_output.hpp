// run_output.hpp -- what a run writes when it is done.
#pragma once

#include "core/json.hpp"
#include "host/progress.hpp"
#include "task/task.hpp"

#include <string>
#include <vector>

namespace senteval::host {

/// The whole run as one document: {"results": [...], "failures": [...]}.
core::Json run_json(const RunProgress& progress);

/// The table on standard output, as "table", "markdown" or "csv", with published figures below it.
void print_table(const RunProgress& progress,
                 const std::vector<const task::Task*>& tasks,
                 const std::string& format);

} // namespace senteval::host
