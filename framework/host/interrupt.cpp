#include "host/interrupt.hpp"

#include "core/lineage.hpp"
#include "host/ending.hpp"
#include "host/exit_codes.hpp"
#include "host/supervision.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <semaphore.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace senteval::host {
namespace {

/// How long a command may take to answer a stop request.
constexpr timespec patience{1, 500'000'000};

// All that a signal handler may touch. Blocking the signals and waiting for them would be simpler,
// but the threads that a BLAS library starts before main() do not have them blocked. A semaphore and
// no pipe: foreign code may close descriptors, or write to them.
sem_t arrived;
std::atomic<int> signals{0};
std::atomic<int> signals_passed_on{0}; // by a supervisor; some come both ways
std::atomic<bool> is_from_within{false};
static_assert(std::atomic<int>::is_always_lock_free);

void on_signal(int /*number*/, siginfo_t* info, void* /*context*/)
{
    constexpr int patient = 2; // the first asks, the second insists
    const int before = errno;
    if (info->si_code <= 0 && core::Lineage::accuse(info->si_pid)) {
        errno = before; // an encoder in a process of its own: that costs its task, and not the run
        return;
    }
    if (info->si_code <= 0 && info->si_pid == getpid())
        is_from_within = true;
    const bool is_passed_on = info->si_code <= 0 && is_supervisor(info->si_pid);
    const int count = is_passed_on ? ++signals_passed_on : ++signals;
    if (count <= (is_passed_on ? signals : signals_passed_on))
        return; // it was sent to a whole group, and has arrived already
    if (count > patient) {
        say_goodbye(exit_interrupted);
        _exit(exit_interrupted);
    }
    sem_post(&arrived);
    errno = before;
}

void wait_for_signal()
{
    while (sem_wait(&arrived) != 0) {
    }
}

/// Or until the time is up.
void wait_for_signal(const timespec& at_most)
{
    timespec until{};
    clock_gettime(CLOCK_MONOTONIC, &until);
    constexpr long second = 1'000'000'000;
    until.tv_sec += at_most.tv_sec + (until.tv_nsec + at_most.tv_nsec) / second;
    until.tv_nsec = (until.tv_nsec + at_most.tv_nsec) % second;
    while (sem_clockwait(&arrived, CLOCK_MONOTONIC, &until) != 0 && errno == EINTR) {
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
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    sigaction(number, &action, nullptr);
}

} // namespace

bool is_stopped_from_within() noexcept
{
    return is_from_within;
}

std::stop_token stop_on_interrupt()
{
    sem_init(&arrived, 0, 0);
    std::stop_source source;
    std::stop_token token = source.get_token();
    // Lives as long as the process: it only ever waits.
    std::thread([source = std::move(source)]() mutable {
        wait_for_signal();
        source.request_stop();
        wait_for_signal(patience);
        end_unanswered();
    }).detach();
    for (const int number : stop_signals)
        handle(number);
    return token;
}

} // namespace senteval::host
