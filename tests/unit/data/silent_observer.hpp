// silent_observer.hpp -- for downloads of which nobody is told.
#pragma once

#include "data/download.hpp"

#include <cstdint>
#include <string>

namespace senteval::test {

class SilentObserver final : public data::DownloadObserver {
public:
    void received(const std::string&, std::uint64_t, std::uint64_t) override {}
    void retrying(const std::string&, const std::string&) override {}
    void finished(const std::string&, const std::string&) override {}
};

} // namespace senteval::test
