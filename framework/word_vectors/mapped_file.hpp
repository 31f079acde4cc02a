// mapped_file.hpp -- a file's bytes, mapped read-only.
#pragma once

#include <filesystem>
#include <string_view>

namespace senteval::word_vectors {

/// Empty files have no bytes.
class MappedFile {
public:
    /// Throws sdk::Error naming the file: SENTEVAL_NOT_FOUND where it is missing or not readable,
    /// SENTEVAL_INVALID_ARGUMENT where it is not a regular file.
    explicit MappedFile(const std::filesystem::path& path);
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

private:
    std::string_view bytes_;
};

} // namespace senteval::word_vectors
