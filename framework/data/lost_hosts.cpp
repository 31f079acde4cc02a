#include "data/lost_hosts.hpp"

#include <algorithm>

namespace senteval::data {
namespace {

/// "https://example.org:8080" of an address.
std::string host_of(const std::string& url)
{
    const std::size_t scheme = url.find("://");
    const std::size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
    return url.substr(0, std::min(url.find('/', begin), url.size()));
}

} // namespace

LostHosts::Host& LostHosts::of(const std::string& url)
{
    const std::lock_guard lock(mutex_);
    auto& host = hosts_[host_of(url)];
    if (host == nullptr)
        host = std::make_unique<Host>();
    return *host;
}

} // namespace senteval::data
