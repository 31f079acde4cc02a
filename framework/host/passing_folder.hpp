// passing_folder.hpp -- a folder that is removed again.
#pragma once

#include <filesystem>
#include <system_error>
#include <utility>

namespace senteval::host {

struct PassingFolder {
    std::filesystem::path path;
    explicit PassingFolder(std::filesystem::path folder) : path(std::move(folder)) {}
    PassingFolder(const PassingFolder&) = delete;
    PassingFolder& operator=(const PassingFolder&) = delete;
    PassingFolder(PassingFolder&&) = delete;
    PassingFolder& operator=(PassingFolder&&) = delete;
    ~PassingFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
};

} // namespace senteval::host
