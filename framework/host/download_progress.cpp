#include "host/download_progress.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace senteval::host {

std::string size_text(std::uint64_t bytes)
{
    const auto size = static_cast<double>(bytes);
    if (bytes < 1'000)
        return fmt::format("{} B", bytes);
    if (bytes < 1'000'000)
        return fmt::format("{:.0f} kB", size / 1e3);
    if (bytes < 1'000'000'000)
        return fmt::format("{:.1f} MB", size / 1e6);
    return fmt::format("{:.1f} GB", size / 1e9);
}

void DownloadProgress::received(const std::string& url, std::uint64_t received, std::uint64_t total)
{
    const std::scoped_lock lock(mutex_);
    const auto [entry, is_new] = downloads_.try_emplace(url);
    Download& download = entry->second;
    if (is_new)
        download.at_first = received;
    download.at_first = std::min(download.at_first, received); // it may have begun anew
    download.received = received;
    download.total = total;
    draw();
}

void DownloadProgress::retrying(const std::string& url, const std::string& problem)
{
    const std::scoped_lock lock(mutex_);
    bar_.line(fmt::format("{}: {}; trying again", url, problem));
}

void DownloadProgress::finished(const std::string& url, const std::string& problem)
{
    const std::scoped_lock lock(mutex_);
    ++done_;
    const std::uint64_t bytes = downloads_[url].received;
    downloads_[url].total = bytes;
    if (!problem.empty())
        bar_.line(fmt::format("{}: {}", url, problem));
    else if (bytes > 0)
        bar_.line(fmt::format("{}: {}", url, size_text(bytes)));
}

void DownloadProgress::draw()
{
    if (!bar_.is_due())
        return;
    std::uint64_t received = 0;
    std::uint64_t total = 0;
    std::uint64_t brought = 0;
    for (const auto& [url, download] : downloads_) {
        received += download.received;
        total += std::max(download.total, download.received);
        brought += download.received - download.at_first;
    }
    const double elapsed = bar_.elapsed();
    const double rate = elapsed > 0 ? static_cast<double>(brought) / elapsed : 0;
    const double share = total > 0 ? static_cast<double>(received) / static_cast<double>(total) : 0;
    bar_.draw(share,
              fmt::format("{} of {}, {}/s, {} done", size_text(received), size_text(total),
                          size_text(static_cast<std::uint64_t>(rate)), done_),
              rate > 0 ? static_cast<double>(total - received) / rate : 0);
}

} // namespace senteval::host
