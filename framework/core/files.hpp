// files.hpp -- reading whole files and replacing them atomically.
#pragma once

#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace senteval::core {

/// A file's bytes, mapped read-only. Movable; the bytes stay where they are.
class MappedFile {
public:
    MappedFile() = default;

    /// Throws Error naming the file when it is missing, a directory or not readable.
    explicit MappedFile(const std::filesystem::path& path);

    [[nodiscard]] std::string_view bytes() const noexcept;

private:
    boost::interprocess::mapped_region region_; ///< not mapped when the file is empty
};

/// The whole file as a string. Throws Error naming the file.
std::string read_file(const std::filesystem::path& path);

/// Replaces `path` by `bytes` so that a reader, or a power cut, finds the old or the new content and
/// nothing between: temporary file in the same folder, fsync, rename, fsync of the folder. Several
/// processes may do it at once. Creates missing parent folders. Throws Error with the path and the
/// system's reason.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

} // namespace senteval::core
