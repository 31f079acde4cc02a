#include "host/interrupt.hpp"

#include "host/output.hpp"

#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <thread>
#include <utility>

namespace senteval::host {
namespace {

// All that a signal handler may touch. Blocking the signals and waiting for them would be simpler,
// but the threads that a BLAS library starts before main() do not have them blocked.
sem_t arrived;
std::atomic<int> signals{0};
static_assert(std::atomic<int>::is_always_lock_free);

void on_signal(int /*number*/, siginfo_t* info, void* /*context*/)
{
    const int before = errno;
    siginfo_t none{};
    if (info->si_code <= 0 &&
        waitid(P_PID, static_cast<id_t>(info->si_pid), &none, WEXITED | WNOHANG | WNOWAIT) == 0) {
        errno = before; // from the process of an encoder, which stops nothing
        return;
    }
    if (++signals > 1) {
        write_log("stopped at once\n");
        _exit(exit_interrupted); // children die with this process
    }
    sem_post(&arrived);
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
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    sigaction(number, &action, nullptr);
}

} // namespace

std::stop_token stop_on_interrupt()
{
    sem_init(&arrived, 0, 0);
    std::stop_source source;
    std::stop_token token = source.get_token();
    // Lives as long as the process: it only ever waits.
    std::thread([source = std::move(source)]() mutable {
        while (sem_wait(&arrived) != 0) {
        }
        source.request_stop();
    }).detach();
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        handle(number);
    return token;
}

void say_stopped(std::string_view rest)
{
    static std::atomic<bool> is_said{false};
    if (!is_said.exchange(true))
        note("stopped{}\n", rest);
}

} // namespace senteval::host
