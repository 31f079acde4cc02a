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

/// The tasks that are written for, each once, in the order of `tasks`: names of tasks and groups,
/// their aliases ("STS-B"), patterns ("STS1*") and "all"; capitals, '-' and '_' do not count. An element
/// may hold several, separated by commas or blanks. Throws base::UsageError on an unknown name, with
/// the nearest known one, and on no name at all.
std::vector<const Task*> select(const Tasks& tasks, std::span<const std::string> written);
std::vector<const Task*> select(const Tasks& tasks, std::string_view written);

} // namespace senteval::task
