// selection.hpp -- from what a user writes ("transfer,STS14") to tasks.
#pragma once

#include "task/task.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::task {

/// The groups of `tasks` in order of first appearance, and "all".
std::vector<std::string> groups_of(const Tasks& tasks);

/// The tasks that `names` (names of tasks and groups) stand for, each once, in the order of `tasks`.
/// "all" is every task. Throws core::UsageError on an unknown name, with the nearest known one, and
/// on no name at all.
std::vector<const Task*> select(const Tasks& tasks, std::span<const std::string> names);

/// The same for names separated by commas; white space around them does not count.
std::vector<const Task*> select(const Tasks& tasks, std::string_view comma_separated);

} // namespace senteval::task
