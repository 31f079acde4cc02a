// train_files.hpp -- the files that a training writes, and that they take the place of nothing else.
#pragma once

#include "host/train_arguments.hpp"
#include "train/pair_file.hpp"

#include <filesystem>
#include <vector>

namespace senteval::host {

struct TrainFiles {
    std::filesystem::path model;
    std::filesystem::path checkpoint;
};

/// Absolute. Throws core::UsageError, with the option: where one of them cannot be written, is a file
/// that is read, a folder, a device or a pipe, where both are one, and where something lies at the
/// checkpoint's place that is none.
TrainFiles files_to_write(const TrainArguments& arguments,
                          const std::vector<train::PairSource>& pairs);

} // namespace senteval::host
