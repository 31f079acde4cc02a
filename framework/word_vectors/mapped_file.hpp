// mapped_file.hpp -- a file's bytes, mapped read-only.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace senteval::word_vectors {

/// What tells a state of a file from every other without reading it. No program can set the time of the
/// inode's change: who keeps size and time of an edited file has changed it all the same.
struct FileState {
    std::uint64_t size = 0;
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t content_changed = 0; ///< nanoseconds since 1970
    std::int64_t inode_changed = 0;

    friend bool operator==(const FileState&, const FileState&) = default;
};

/// Movable; the bytes stay where they are. Empty files have no bytes.
class MappedFile {
public:
    /// Throws sdk::Error naming the file: SENTEVAL_NOT_FOUND where it is missing or not readable,
    /// SENTEVAL_INVALID_ARGUMENT where it is not a regular file.
    explicit MappedFile(const std::filesystem::path& path);
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

    /// As the file was when it was opened.
    [[nodiscard]] const FileState& state() const noexcept { return state_; }

    /// Whether the last change was so long before the file was opened that another one will show in
    /// state(): the times of some file systems count in steps of two seconds.
    [[nodiscard]] bool settled(std::chrono::nanoseconds after) const noexcept
    {
        return state_.inode_changed + after.count() <= opened_; // every write moves it
    }

    /// Gives the memory of a part of bytes() back; it is read again when it is touched. Keeps the
    /// memory of a scan through a huge file small; nothing is given back of a file that is not.
    void forget(std::string_view part) const noexcept;

private:
    std::string_view bytes_;
    FileState state_;
    std::int64_t opened_ = 0; ///< nanoseconds since 1970
};

} // namespace senteval::word_vectors
