// mteb_data.hpp -- names of MTEB's ("mteb:NAME") in commands.
#pragma once

#include "data/inspect.hpp"

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::host {

/// Takes out of a list what begins with "mteb:", and returns it without that. A name that was split at a comma within
/// parentheses is put together again.
std::vector<std::string> take_mteb_names(std::vector<std::string>& names);

/// Whether that is fetched from a file of the user's, with or without the prefix.
bool is_python_file(const std::string& name);

/// Prints the tasks that a name, a pattern or a benchmark means, and what of them is in the data folder.
void list_mteb_tasks(const std::string& name, const std::filesystem::path& data, bool json);

struct MtebFetch {
    std::vector<std::string>
        names; ///< without "mteb:"; also a Python file whose list TASKS has tasks
    std::filesystem::path data;
    std::string subsets, splits; ///< with commas; empty: all
    std::string python;          ///< empty: as the encoder `python` finds it
    bool dry_run = false;
};

/// Writes tasks below DATA/mteb with MTEB's own package. Returns the exit code.
int fetch_mteb_tasks(const MtebFetch& fetch, const std::stop_token& stop);

/// What is wrong with the files of each task below DATA/mteb, or of those with these names: {task, findings}.
std::vector<std::pair<std::string, std::vector<data::Finding>>>
verify_mteb_tasks(const std::filesystem::path& data, const std::vector<std::string>& names);

} // namespace senteval::host
