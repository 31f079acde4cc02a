// task_keys.hpp -- the keys of a [[task]] in a run file.
#pragma once

#include "core/value.hpp"
#include "task/custom.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::run {

struct TaskKey {
    std::string name;
    std::function<void(task::CustomTask&, const core::Value&)> set; ///< throws core::UsageError
};

/// The key of that name, or nullptr.
const TaskKey* find_task_key(std::string_view name);

std::vector<std::string> task_key_names();

} // namespace senteval::run
