// data_needed.hpp -- whether the data of the chosen tasks is there, and how it gets there.
#pragma once

#include "task/task.hpp"

#include <CLI/App.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace senteval::host {

/// The option --data of a command; what it gives goes through data_folder(). `names`: those that it has.
CLI::Option* add_data_option(CLI::App& command, std::string& folder, const char* names = "--data");

/// The data folder: the one given, else that of the run file, else SENTEVAL_DATA; empty where there is none.
std::filesystem::path data_folder(const std::filesystem::path& given,
                                  const std::filesystem::path& of_run_file = {});

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
