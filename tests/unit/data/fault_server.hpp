// fault_server.hpp -- a small HTTP server on this machine that does wrong what servers do wrong.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace senteval::test {

struct Request {
    std::string path;         ///< as asked for, with its slash
    std::uint64_t offset = 0; ///< of a Range header
    std::size_t number = 0;   ///< how many this server had before
};

/// A good answer, unless something here says otherwise.
struct Reply {
    int status = 200;
    std::string body;     ///< the whole file; what is sent begins at the request's offset
    std::string location; ///< of a redirection
    bool knows_ranges = true;
    std::optional<std::uint64_t> declared_length; ///< in place of the true one
    bool declares_length = true;
    std::size_t send_only = std::string::npos; ///< bytes of the body, then `afterwards`
    enum class Afterwards { close, stall } afterwards = Afterwards::close;
    std::chrono::milliseconds drip{0}; ///< pause after every byte
};

/// Serves on 127.0.0.1, one thread per connection, until it dies.
class FaultServer {
public:
    using Handler = std::function<Reply(const Request&)>;

    /// `handler` is called from many threads.
    explicit FaultServer(Handler handler);
    FaultServer(const FaultServer&) = delete;
    FaultServer& operator=(const FaultServer&) = delete;
    FaultServer(FaultServer&&) = delete;
    FaultServer& operator=(FaultServer&&) = delete;
    ~FaultServer();

    /// "http://127.0.0.1:PORT" + path
    [[nodiscard]] std::string url(const std::string& path) const;

    [[nodiscard]] std::vector<Request> requests() const;

private:
    void serve();
    void answer(int connection);
    void send_reply(int connection, const Request& request, const Reply& reply);

    Handler handler_;
    int listener_ = -1;
    int port_ = 0;
    std::atomic<bool> stopping_ = false;
    mutable std::mutex mutex_;
    std::vector<Request> requests_;
    std::list<std::thread> connections_;
    std::thread accepting_;
};

} // namespace senteval::test
