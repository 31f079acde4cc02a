// vectors_file.hpp -- the vectors of a task's texts as files, for tools that draw maps of them.
#pragma once

#include "encoder/session.hpp"
#include "results/outcomes.hpp"
#include "results/result.hpp"
#include "task/task.hpp"

#include <filesystem>

namespace senteval::run {

/// Where they are of a result: FOLDER/ENCODER-.../TASK-....npy.
std::filesystem::path vectors_file(const std::filesystem::path& folder,
                                   const results::Result& record);

/// Writes each different text of the task once: a row of float32 in .npy, a line in .jsonl beside it with its text and, where it
/// is a test item with a label, that. Throws base::Error.
void write_vectors(const std::filesystem::path& file,
                   const task::LoadedTask& loaded,
                   const results::Outcomes& outcomes,
                   encoder::Session& session);

} // namespace senteval::run
