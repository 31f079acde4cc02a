// staged_file.hpp -- a file that appears under its name only when it is whole.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

namespace senteval::data {

/// Written piece by piece beside its destination, under a temporary name; commit() moves it there.
/// Without commit() nothing is left behind. For files too large for core::write_file_atomically.
class StagedFile {
public:
    /// Makes missing folders. Throws core::Error with the system's reason.
    explicit StagedFile(std::filesystem::path destination);
    StagedFile(const StagedFile&) = delete;
    StagedFile& operator=(const StagedFile&) = delete;
    StagedFile(StagedFile&&) = delete;
    StagedFile& operator=(StagedFile&&) = delete;
    ~StagedFile();

    /// Where the bytes lie until commit().
    [[nodiscard]] const std::filesystem::path& staged_path() const noexcept { return temporary_; }

    void write(std::string_view bytes);

    /// Everything written so far is at staged_path() for others to read.
    void flush();

    void commit();

private:
    std::filesystem::path destination_;
    std::filesystem::path temporary_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
    bool committed_ = false;
};

} // namespace senteval::data
