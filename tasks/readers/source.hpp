// source.hpp -- where a dataset comes from: its files, and how they are read.
#pragma once

#include "task/data_folder.hpp"
#include "tasks/dataset.hpp"

#include <functional>
#include <string>
#include <vector>

namespace senteval::tasks {

struct Source {
    std::vector<std::string> files; ///< below the data folder
    /// Throws core::Error naming file, line and what to do. Leaves Dataset::name to its caller.
    std::function<Dataset(task::DataFolder&)> read;
};

} // namespace senteval::tasks
