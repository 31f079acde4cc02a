// data_folder.hpp -- the folder that --data names, and what was read from it.
#pragma once

#include "core/files.hpp"
#include "core/json.hpp"

#include <cstddef>
#include <filesystem>
#include <string>

namespace senteval::task {

/// Opens files below one folder and remembers the fingerprint of each, for the result file.
class DataFolder {
public:
    /// Of each part of a task at most `limit` items are taken; 0: all. A part that is cut counts as
    /// another file.
    explicit DataFolder(std::filesystem::path root, std::size_t limit = 0)
        : root_(std::move(root)), limit_(limit)
    {
    }

    [[nodiscard]] std::size_t limit() const noexcept { return limit_; }

    [[nodiscard]] const std::filesystem::path& root() const noexcept { return root_; }
    [[nodiscard]] std::filesystem::path path(const std::string& relative) const
    {
        return root_ / relative;
    }

    /// Throws core::Error that names the full path when the file is missing or unreadable.
    [[nodiscard]] core::MappedFile open(const std::string& relative);

    /// {"downstream/MR/rt-polarity.pos": "fingerprint", ...} of the files opened so far.
    [[nodiscard]] const core::Json& fingerprints() const noexcept { return fingerprints_; }

private:
    std::filesystem::path root_;
    std::size_t limit_;
    core::Json fingerprints_ = core::Json::object();
};

} // namespace senteval::task
