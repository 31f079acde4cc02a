// archive.hpp -- taking single files out of downloaded archives, with nothing trusted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace senteval::data {

/// Limits beyond which an archive is given up as a bomb.
struct ArchiveLimits {
    std::uint64_t max_entries = 100'000;
    std::uint64_t max_bytes = std::uint64_t{32}
                              << 30; ///< of everything unpacked or skipped on the way
    std::uint64_t max_ratio = 1'000; ///< unpacked bytes per byte of the archive
};

using ByteSink = std::function<void(std::string_view)>;

/// Hands the bytes of regular file `member` to `sink`, piece by piece. Reads zip, tar with any usual
/// compression, CAB, and a CAB inside a Windows Installer file. Nothing is written to disk here.
///
/// Throws base::Error, naming the archive, where it is damaged or lacks the member, or where a limit is
/// passed.
void read_archive_member(const std::filesystem::path& archive,
                         std::string_view member,
                         const ByteSink& sink,
                         const ArchiveLimits& limits = {});

/// Whether there is such an entry, without reading it. Throws as read_archive_member does.
bool has_archive_member(const std::filesystem::path& archive,
                        std::string_view member,
                        const ArchiveLimits& limits = {});

/// Walks over all entries without reading them. Throws as read_archive_member does.
void check_archive(const std::filesystem::path& archive, const ArchiveLimits& limits = {});

} // namespace senteval::data
