// custom.hpp -- makes users' descriptions into tasks.
#pragma once

#include "task/custom.hpp"
#include "task/task.hpp"

#include <memory>
#include <span>

namespace senteval::tasks {

/// In the group "custom". Throws core::UsageError naming the task and the key where the description
/// is incomplete or contradicts itself. The files are looked at when the task is loaded.
std::unique_ptr<task::Task> make_custom_task(const task::CustomTask& description);

/// Appends them to `tasks`. Throws core::UsageError also where a name is taken.
void add_custom_tasks(task::Tasks& tasks, std::span<const task::CustomTask> descriptions);

} // namespace senteval::tasks
