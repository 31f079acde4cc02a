// download_progress.hpp -- what a fetch shows while it runs.
#pragma once

#include "data/download.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace senteval::host {

/// "812 B", "3.4 MB", "2.1 GB".
std::string size_text(std::uint64_t bytes);

/// Writes to standard error: a bar with rate and time left on a terminal, and a line per finished
/// download. Called from many threads.
class DownloadProgress final : public data::DownloadObserver {
public:
    DownloadProgress() = default;
    ~DownloadProgress() override;
    DownloadProgress(const DownloadProgress&) = delete;
    DownloadProgress& operator=(const DownloadProgress&) = delete;
    DownloadProgress(DownloadProgress&&) = delete;
    DownloadProgress& operator=(DownloadProgress&&) = delete;

    void received(const std::string& url, std::uint64_t received, std::uint64_t total) override;
    void retrying(const std::string& url, const std::string& problem) override;
    void finished(const std::string& url, const std::string& problem) override;

private:
    struct Download {
        std::uint64_t at_first = 0; ///< what an earlier run had brought
        std::uint64_t received = 0;
        std::uint64_t total = 0; ///< 0 where unknown
    };

    void line(std::string_view text);
    void draw();
    void erase();

    std::mutex mutex_;
    std::map<std::string, Download> downloads_;
    std::size_t done_ = 0;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point last_drawn_;
};

} // namespace senteval::host
