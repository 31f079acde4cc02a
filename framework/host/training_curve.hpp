// training_curve.hpp -- the metrics of the checkpoints of a training, for tools that draw curves.
#pragma once

#include "compare/results.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace senteval::host {

/// The number at the end of a checkpoint's name, -1 where there is none: "checkpoint-500".
std::int64_t step_of(const std::string& name);

/// What the trainer wrote beside the weights; -1: nothing.
struct TrainerState {
    double epoch = -1;
    std::int64_t step = -1;
};
TrainerState trainer_state_of(const std::filesystem::path& checkpoint);

/// Writes the metrics of rows, means over seeds: as CSV with epoch and the step that ends their labels, and as an event
/// file, which only grows. An empty path: not. `epochs`: by label.
void write_curve(const compare::Results& all,
                 const std::map<std::string, double>& epochs,
                 const std::string& csv,
                 const std::filesystem::path& tensorboard);

} // namespace senteval::host
