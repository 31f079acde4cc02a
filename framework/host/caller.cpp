#include "host/caller.hpp"

#include "base/error.hpp"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

namespace senteval::host {
namespace {

struct Caller {
    pid_t process = 0;
    int socket = -1;
};

Caller caller()
{
    Caller found;
    if (const char* said = std::getenv("SENTEVAL_CALLER"))
        std::sscanf(said, "%d:%d", &found.process,
                    &found.socket); // NOLINT: what is no number leaves the defaults
    return found;
}

void exchange(int socket, std::span<std::byte> bytes, bool sends)
{
    while (!bytes.empty()) {
        const ssize_t moved = sends ? send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL)
                                    : recv(socket, bytes.data(), bytes.size(), 0);
        if (moved == 0 || (moved < 0 && errno != EINTR))
            throw base::Error("the program that measures the similarity has closed the connection");
        bytes = bytes.subspan(moved < 0 ? 0 : static_cast<std::size_t>(moved));
    }
}

} // namespace

void end_with_caller()
{
    const pid_t process = caller().process;
    if (process == 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != process) // it has ended already
        raise(SIGTERM);
}

tasks::SimilarityFunction similarity_of_caller()
{
    const int socket = caller().socket;
    if (socket < 0)
        return {};
    return [socket](std::span<const float> u, std::span<const float> v) {
        auto dimension = static_cast<std::uint32_t>(u.size());
        std::vector<float> both(u.begin(), u.end());
        both.insert(both.end(), v.begin(), v.end());
        double value = 0;
        exchange(socket, std::as_writable_bytes(std::span(&dimension, 1)), true);
        exchange(socket, std::as_writable_bytes(std::span(both)), true);
        exchange(socket, std::as_writable_bytes(std::span(&value, 1)), false);
        return value;
    };
}

} // namespace senteval::host
