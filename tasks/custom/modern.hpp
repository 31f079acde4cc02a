// modern.hpp -- tasks that users describe, of the protocols after MTEB: files of rows with named fields (readers/mteb.hpp).
#pragma once

#include "base/json.hpp"
#include "core/table.hpp"
#include "task/task.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace senteval::tasks {

/// Whether the description names such a protocol.
bool is_modern(const core::Table& table);

/// Throws base::UsageError with the place for a key that the protocol has not, and for one that it needs.
std::unique_ptr<task::Task> make_modern_task(const core::Table& table);

/// The keys of such a [[task]], each with the protocols that it is of and what it says.
std::vector<std::pair<std::string, std::string>> keys_of_modern_task();

/// A description of each set that lies in a folder as MTEB and BEIR lay them down: in the folder itself, or in folders of
/// it. Throws base::UsageError where there is none.
std::vector<core::Table> describe_mteb_folder(const std::filesystem::path& folder);

} // namespace senteval::tasks
