// vector_folder.hpp -- where a process keeps vectors that others of its run need as well.
#pragma once

#include "core/descriptor.hpp"

#include <filesystem>

namespace senteval::host {

/// A folder of this process's own, as long as the object lives. A process that is killed leaves its folder
/// behind: it goes when another is made beside it.
class VectorFolder {
public:
    explicit VectorFolder(const std::filesystem::path& parent);
    ~VectorFolder();
    VectorFolder(const VectorFolder&) = delete;
    VectorFolder& operator=(const VectorFolder&) = delete;
    VectorFolder(VectorFolder&&) = delete;
    VectorFolder& operator=(VectorFolder&&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    core::Descriptor in_use_; ///< locked, for others to see
};

} // namespace senteval::host
