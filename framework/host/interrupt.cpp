#include "host/interrupt.hpp"

#include "host/exit_codes.hpp"

#include "host/ending.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
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
std::atomic<bool> was_signalled{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void on_signal(int /*number*/)
{
    if (was_signalled.exchange(true))
        _exit(exit_interrupted);
    const int before = errno;
    const char byte = 0;
    (void)!::write(wake_up_fd, &byte, 1);
    errno = before;
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
        std::this_thread::sleep_for(patience);
        end_unanswered();
    }).detach();
    handle(SIGINT);
    handle(SIGTERM);
    return token;
}

} // namespace senteval::host
