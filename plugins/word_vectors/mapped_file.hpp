// mapped_file.hpp -- a file's bytes, mapped read-only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace senteval::word_vectors {

/// Movable; the bytes stay where they are. Empty files have no bytes.
class MappedFile {
public:
    /// Throws sdk::Error naming the file: SENTEVAL_NOT_FOUND where it is missing or not readable,
    /// SENTEVAL_INVALID_ARGUMENT where it is not a regular file.
    explicit MappedFile(const std::filesystem::path& path);
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

    /// Time of the last change, in nanoseconds since 1970.
    [[nodiscard]] std::int64_t changed() const noexcept { return changed_; }

    /// Gives the memory of a part of bytes() back; it is read again when it is touched. Keeps the
    /// memory of a scan through a huge file small.
    void forget(std::string_view part) const noexcept;

private:
    std::string_view bytes_;
    std::int64_t changed_ = 0;
};

} // namespace senteval::word_vectors
