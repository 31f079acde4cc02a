// custom.hpp -- makes users' descriptions into tasks.
#pragma once

#include "task/task.hpp"
#include "tasks/custom/description.hpp"

#include <memory>
#include <span>

namespace senteval::tasks {

/// In the group "custom". Throws core::UsageError naming the task and the key where the description
/// is incomplete or contradicts itself. The files are looked at when the task is loaded.
std::unique_ptr<task::Task> make_custom_task(const CustomTask& description);

/// The tasks of SentEval, and those that the [[task]]s of a run file describe. Throws core::UsageError
/// with the place in the run file, also where a name is taken.
task::Tasks all_tasks(std::span<const core::Table> described);

} // namespace senteval::tasks
