// transport.hpp -- how the processes of a run reach the first of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace senteval::team {

struct Message {
    std::size_t process = 0; ///< it comes from
    std::string bytes;
};

/// One process among others that were started together; the first has rank 0. A process but the first
/// sends a request and waits for its reply before it sends another; the first only replies. What is
/// sent arrives whole and in order.
class Transport {
public:
    Transport() = default;
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;
    Transport(Transport&&) = delete;
    Transport& operator=(Transport&&) = delete;
    virtual ~Transport() = default;

    [[nodiscard]] virtual std::size_t rank() const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;

    /// On this machine, this one included.
    [[nodiscard]] virtual std::size_t processes_here() const = 0;

    /// What has arrived from any process; returns at once. By the first process only.
    virtual std::optional<Message> poll() = 0;
    virtual void reply(std::size_t process, const std::string& bytes) = 0;

    /// By every process but the first: sends, and waits for the reply.
    virtual std::string request(const std::string& bytes) = 0;
};

} // namespace senteval::team
