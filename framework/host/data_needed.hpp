// data_needed.hpp -- whether the data of the chosen tasks is there, and how it gets there.
#pragma once

#include "task/task.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace senteval::host {

/// "data of CR, TREC is missing in 'DIR'; this gets them, or says where to ask:\n    senteval data fetch CR TREC --dir DIR",
/// about the published tasks among these; empty where nothing of them is missing.
std::string missing_data(const std::vector<const task::Task*>& tasks,
                         const std::filesystem::path& data);

/// A word of a command line that a user may copy.
std::string shell_word(const std::string& text);

/// Throws base::UsageError, with what to do, where the data folder does not exist, or no task has its
/// files. An empty `data` is none: own tasks may do without.
void require_data(const std::vector<const task::Task*>& tasks, const std::filesystem::path& data);

} // namespace senteval::host
