// folder.hpp -- all the files below a folder, as what a folder's content is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace senteval::core {

struct FolderFile {
    std::string name; ///< below the folder, with '/' between the parts
    std::filesystem::path path;
    std::uintmax_t size = 0;
};

/// Every regular file below `folder`, by name in the order of bytes, links followed (but no link to a
/// folder that it lies in). Left out are folders called "__pycache__" and ".git", whose files change
/// while nothing does, and what is no file. `poll` is called now and then and may throw. Throws Error
/// naming a folder that cannot be read.
std::vector<FolderFile> files_below(
    const std::filesystem::path& folder, const std::function<void()>& poll = [] {});

} // namespace senteval::core
