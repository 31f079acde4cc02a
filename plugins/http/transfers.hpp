// transfers.hpp -- several requests to one URL at a time, with second attempts.
#pragma once

#include "http/embeddings.hpp"

#include <senteval/encoder.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::http {

/// The server, and how long and how often to ask it.
struct Server {
    std::string url;
    bool is_local = false; ///< what is sent stays on this machine
    Secret key;
    std::string ca_file;      ///< further certificates to trust; may be empty
    std::size_t parallel = 4; ///< requests at a time
    int retries = 5;          ///< after the first attempt
    std::chrono::milliseconds backoff{
        500}; ///< before the first retry; doubled for each further one
    std::chrono::milliseconds longest_wait{}; ///< before a retry, whatever the server asks for
    long connect_seconds = 0;
    long request_seconds = 0; ///< of one attempt, from its beginning to its end
    long stall_seconds = 0;   ///< without a byte
};

/// Why a request has no answer that could be taken.
class RequestFailed : public sdk::Error {
public:
    RequestFailed(std::size_t request, senteval_status status, const std::string& why)
        : sdk::Error(status, why), request_(request)
    {
    }
    [[nodiscard]] std::size_t request() const noexcept { return request_; }

private:
    std::size_t request_;
};

/// Posts JSON. Certificates and host names are always verified; a redirect keeps the method, never leads
/// from HTTPS to HTTP, and to another host goes without the key.
class Transfers {
public:
    /// Says whether to stop; asked several times a second.
    using Stop = std::function<bool()>;

    /// Takes the body of the successful answer to request number `i`, on any thread; throws std::runtime_error
    /// where it is none: "2 vectors for 3 inputs".
    using Take = std::function<void(std::size_t i, std::string_view body)>;

    Transfers(Server server, sdk::Host host);
    Transfers(const Transfers&) = delete;
    Transfers& operator=(const Transfers&) = delete;
    ~Transfers();

    /// Posts every body and has every answer, of at most `most_bytes`, taken, in any order. An answer
    /// of 408, 429 or 5xx, one that is cut off, and a broken connection are tried again, after as long as Retry-After
    /// says or ever longer; meanwhile no request is begun. Throws RequestFailed of the first of the bodies
    /// that fail, after those before it have been answered; sdk::Cancelled. A first connection that cannot
    /// be made is not tried again where `is_probe`.
    void post(const std::vector<std::string>& bodies,
              std::size_t most_bytes,
              bool is_probe,
              const Stop& stop,
              const Take& take);

private:
    struct Connection;
    class Round;

    Server server_;
    sdk::Host host_;
    std::vector<std::unique_ptr<Connection>> connections_; ///< as many as requests at a time
};

} // namespace senteval::http
