// labels.hpp -- which classes a user's file has, where the task does not list them.
#pragma once

#include "tasks/custom/columns.hpp"
#include "tasks/dataset.hpp"

#include <string>
#include <vector>

namespace senteval::tasks {

/// The labels of a file, sorted as strings. What looks wrong about them becomes a data warning of the dataset, or,
/// where it plainly is, core::Error: empty ones, a header that counts as an item, other than two where F1
/// is wanted.
std::vector<std::string> labels_in(task::DataFolder& data,
                                   const std::string& relative,
                                   const ColumnFormat& format,
                                   Dataset& dataset);

} // namespace senteval::tasks
