// training_curve.hpp -- the metrics of the checkpoints of a training, for tools that draw curves.
#pragma once

#include "compare/results.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace senteval::host {

/// The number at the end of a checkpoint's name, -1 where there is none: "checkpoint-500".
std::int64_t step_of(const std::string& name);

/// Writes the metrics of rows, which are labelled by the names of folders in `training`: as CSV with epoch and step, and
/// into the folder `tensorboard` as an event file. An empty path: not.
void write_curve(const compare::Results& all,
                 const std::filesystem::path& training,
                 const std::filesystem::path& csv,
                 const std::filesystem::path& tensorboard);

} // namespace senteval::host
