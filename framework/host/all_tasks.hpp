// all_tasks.hpp -- the tasks of SentEval, and those that a run file describes.
#pragma once

#include "run/config.hpp"
#include "task/task.hpp"

namespace senteval::host {

/// Throws core::UsageError with the place in the run file where a description is at fault.
task::Tasks all_tasks(const run::Config& config);

} // namespace senteval::host
