// http.hpp -- one attempt at one HTTP transfer, by libcurl.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace senteval::data {

/// When a transfer is given up.
struct HttpLimits {
    std::chrono::milliseconds connect{20'000};
    std::chrono::seconds stall{30}; ///< this long below bytes_per_second
    long bytes_per_second = 2048;   ///< a MiB in nine minutes
    long redirects = 5;
};

enum class HttpEnd {
    complete,
    interrupted, ///< worth another attempt: a cut, a stall, a busy server
    unreachable, ///< there is no way to the host: its other files are no nearer
    refused,     ///< not worth one: no such file, no valid certificate, too many redirects
    no_resume,   ///< the server cannot start at the offset: begin anew
    cancelled,   ///< a callback said no
};

struct HttpOutcome {
    HttpEnd end = HttpEnd::complete;
    std::string problem; ///< empty where complete
};

struct HttpCallbacks {
    /// The next bytes of the body; false stops the transfer.
    std::function<bool(std::string_view)> write;
    /// Called several times a second with the body's whole size (0 unknown); false stops it.
    std::function<bool(std::uint64_t total)> progress;
};

/// Asks for `url` from byte `offset` on. Certificates are always verified, and a redirection never
/// leads from HTTPS to HTTP. An answer that is not a success delivers no bytes. Any thread.
HttpOutcome http_get(const std::string& url,
                     std::uint64_t offset,
                     const HttpLimits& limits,
                     const HttpCallbacks& callbacks);

} // namespace senteval::data
