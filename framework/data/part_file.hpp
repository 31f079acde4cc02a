// part_file.hpp -- what has arrived of a download so far.
#pragma once

#include "core/descriptor.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace senteval::data {

/// "NAME.part" beside the destination: grows by what arrives, survives the process, and belongs to
/// one process at a time.
class PartFile {
public:
    /// Opens or makes it. Throws core::Error, also where another process has it.
    explicit PartFile(std::filesystem::path destination);
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;
    PartFile(PartFile&&) = delete;
    PartFile& operator=(PartFile&&) = delete;
    ~PartFile() = default;

    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

    void append(std::string_view bytes);
    void clear();

    /// Makes it the destination.
    void commit();

    /// Removes it: what arrived is of no use.
    void discard();

private:
    [[noreturn]] void fail(int code) const;

    std::filesystem::path destination_;
    std::filesystem::path path_;
    core::Descriptor file_;
    std::uint64_t size_ = 0;
};

} // namespace senteval::data
