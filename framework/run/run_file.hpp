// run_file.hpp -- a run as a TOML file.
//
//     [run]                  # any option of section "run" (see options.hpp)
//     data = "data"          # paths are relative to the file
//     tasks = ["STS14", "MR"]
//     [classifier]           # any option of section "classifier"
//     kfold = 5
//     [[encoder]]
//     name = "glove"         # a bundled encoder; or path = "./libmine.so"
//     label = "GloVe"        # optional
//     [encoder.parameters]
//     vectors = "glove.txt"
//     [[task]]               # a task of one's own; its keys are read in tasks/custom
//     name = "Reviews"
//     protocol = "classification"
//     train = "reviews.tsv"
#pragma once

#include "run/config.hpp"

#include <filesystem>

namespace senteval::run {

/// Applies a run file to `config`, in the order: profile (unless one was applied before, from the
/// command line), other options, encoders and tasks (appended).
/// Throws base::UsageError with file, line and column, and the nearest valid key for an unknown one.
void read_run_file(const std::filesystem::path& path, Config& config);

} // namespace senteval::run
