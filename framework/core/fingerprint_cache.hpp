// fingerprint_cache.hpp -- fingerprints of large files, remembered from one start to the next.
#pragma once

#include "core/fingerprint.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace senteval::core {

/// Where this user's programs keep what can be made again: $XDG_CACHE_HOME/senteval, else
/// ~/.cache/senteval, and the folder `part` of it. Empty where neither variable is an absolute path. It
/// may not exist.
std::filesystem::path user_cache_folder(std::string_view part);

/// Keeps the fingerprints of large files in a folder, so that gigabytes of vectors are read for it once
/// and not at every start. One is used only while the file is the same one (device and inode) in the same
/// state: size, time of change, and time of change of the inode, which no program can set. Of a file that
/// changed so recently that it could change again without a new time, none is kept. Processes may use a
/// folder at the same time; one that cannot be made or written is no failure.
class FingerprintCache {
public:
    static constexpr std::uintmax_t least_bytes = std::uintmax_t{1}
                                                  << 20; ///< of a file worth keeping

    /// `settled`: how long ago a file must have changed; the default covers the coarsest file system.
    explicit FingerprintCache(std::filesystem::path folder,
                              std::chrono::nanoseconds settled = std::chrono::seconds(2));

    /// Of a file's content; `read` is told nothing of one that is kept. Throws Error naming the file.
    [[nodiscard]] std::string of(const std::filesystem::path& path,
                                 const BytesRead& read = {}) const;

private:
    std::filesystem::path folder_;
    std::chrono::nanoseconds settled_;
};

} // namespace senteval::core
