// download.hpp -- one file from one URL, whatever the line does.
#pragma once

#include "data/http.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

namespace senteval::data {

struct Wanted {
    std::string url;
    std::uint64_t bytes = 0; ///< 0 where unknown
    std::string sha256;      ///< empty where unknown
    bool archive = false;    ///< must be one that can be read, where the checksum is unknown
    std::uint64_t at_most = std::uint64_t{1} << 30U; ///< bytes, where they are unknown
};

struct DownloadPolicy {
    HttpLimits limits;
    int attempts = 5;                             ///< in a row that bring less than a MiB each
    int attempts_to_reach = 3;                    ///< a host
    std::chrono::milliseconds first_pause{1'000}; ///< doubles with every further attempt
    std::stop_token stop;
};

/// Observes a download. Called from the thread that downloads.
class DownloadObserver {
public:
    virtual ~DownloadObserver() = default;
    /// `total` is 0 where unknown; `received` counts what an earlier attempt brought.
    virtual void received(const std::string& url, std::uint64_t received, std::uint64_t total) = 0;
    virtual void retrying(const std::string& url, const std::string& problem) = 0;
    /// `problem` is empty where the file is there.
    virtual void finished(const std::string& url, const std::string& problem) = 0;
};

/// Fills `destination`, going on with what an interrupted download left beside it. The file appears
/// only when it is whole and, where that is known, has the right size and checksum. Returns what
/// went wrong, empty where nothing did; throws base::Cancelled when asked to stop, and base::Error
/// where the disk fails or another process downloads the same file. `unreachable` becomes true where there is no way
/// to the host: its other files are no nearer.
std::string download(const Wanted& wanted,
                     const std::filesystem::path& destination,
                     const DownloadPolicy& policy,
                     DownloadObserver& observer,
                     bool* unreachable = nullptr);

} // namespace senteval::data
