// lost_hosts.hpp -- hosts that were given up: one download finds that out for all.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace senteval::data {

/// Of several downloads at a time. Any thread.
class LostHosts {
public:
    /// Of one host. While somebody tries whether it can be reached, the mutex is held.
    struct Host {
        std::mutex mutex;
        std::string problem; ///< why it was given up; empty: it was not. With the mutex
    };

    /// The host that an address names. Lives as long as this.
    Host& of(const std::string& url);

private:
    std::mutex mutex_;
    std::map<std::string, std::unique_ptr<Host>> hosts_;
};

} // namespace senteval::data
