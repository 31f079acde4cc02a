// download_progress.hpp -- what a fetch shows while it runs.
#pragma once

#include "data/download.hpp"
#include "host/progress_bar.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace senteval::host {

/// "812 B", "3.4 MB", "2.1 GB".
std::string size_text(std::uint64_t bytes);

/// Writes to standard error: a bar with rate and time left on a terminal, and a line per finished
/// download. Called from many threads.
class DownloadProgress final : public data::DownloadObserver {
public:
    void received(const std::string& url, std::uint64_t received, std::uint64_t total) override;
    void retrying(const std::string& url, const std::string& problem) override;
    void finished(const std::string& url, const std::string& problem) override;

private:
    struct Download {
        std::uint64_t at_first = 0; ///< what an earlier run had brought
        std::uint64_t received = 0;
        std::uint64_t total = 0; ///< 0 where unknown
    };

    void draw();

    std::mutex mutex_;
    std::map<std::string, Download> downloads_;
    std::size_t done_ = 0;
    ProgressBar bar_;
};

} // namespace senteval::host
