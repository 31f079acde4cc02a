#include "host/interrupt.hpp"

#include "host/exit_codes.hpp"

#include "host/ending.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace senteval::host {
namespace {

/// How long a command may take to answer a stop request.
constexpr auto patience = std::chrono::milliseconds(1500);

// All that a signal handler may touch. Blocking the signals and waiting for them would be simpler,
// but the threads that a BLAS library starts before main() do not have them blocked.
std::atomic<int> wake_up_fd{-1};
std::atomic<int> signals{0};
static_assert(std::atomic<int>::is_always_lock_free);

void on_signal(int /*number*/)
{
    constexpr int patient = 2; // the first asks, the second insists
    if (++signals > patient)
        _exit(exit_interrupted);
    const int before = errno;
    const char byte = 0;
    (void)!::write(wake_up_fd, &byte, 1);
    errno = before;
}

/// Until there is something to read, or the time is up.
void wait_for(int fd, std::chrono::milliseconds at_most)
{
    const auto deadline = std::chrono::steady_clock::now() + at_most;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd readable{fd, POLLIN, 0};
        if (left.count() <= 0 || ::poll(&readable, 1, static_cast<int>(left.count())) > 0)
            return;
    }
}

/// A signal that is ignored from the start, as in a background job, stays ignored.
void handle(int number)
{
    struct sigaction action {};
    sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_IGN)
        return;
    action = {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigaction(number, &action, nullptr);
}

} // namespace

std::stop_token stop_on_interrupt()
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw std::system_error(errno, std::generic_category(), "pipe2");
    wake_up_fd = ends[1];

    std::stop_source source;
    std::stop_token token = source.get_token();
    // Lives as long as the process: it only ever waits.
    std::thread([fd = ends[0], source = std::move(source)]() mutable {
        char byte = 0;
        while (::read(fd, &byte, 1) != 1) {
        }
        source.request_stop();
        wait_for(fd, patience);
        end_unanswered();
    }).detach();
    handle(SIGINT);
    handle(SIGTERM);
    return token;
}

} // namespace senteval::host
