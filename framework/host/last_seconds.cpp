#include "host/last_seconds.hpp"

#include "host/interrupt.hpp"
#include "host/output.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <string_view>

namespace senteval::host {
namespace {

constexpr int most_seconds = 10;
constexpr std::string_view most_seconds_text = "10 s";

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitizer_at_end = true;
#else
constexpr bool sanitizer_at_end = false;
#endif

// Of the process, as a handler can be told nothing. Needs no destruction.
std::atomic<int> code_at_end{0};
static_assert(std::atomic<int>::is_always_lock_free);

/// The innermost library among the callers that is neither the system's nor this program. Allocates nothing.
std::string_view library_at_work() noexcept
{
    std::array<void*, 64> frames{};
    const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
    Dl_info own{};
    (void)dladdr(reinterpret_cast<const void*>(&limit_the_end), &own);
    for (int i = 0; i < count; ++i) {
        Dl_info at{};
        if (dladdr(frames[static_cast<std::size_t>(i)], &at) == 0 || at.dli_fname == nullptr ||
            at.dli_fbase == own.dli_fbase)
            continue;
        const std::string_view path = at.dli_fname;
        const std::string_view name = path.substr(path.rfind('/') + 1);
        constexpr std::array<std::string_view, 4> system = {"libc.", "ld-", "libpthread.",
                                                            "libstdc++."};
        if (std::none_of(system.begin(), system.end(),
                         [&](std::string_view prefix) { return name.starts_with(prefix); }))
            return name;
    }
    return "a library that was loaded";
}

void on_time_up(int /*number*/)
{
    write_log("senteval: ");
    write_log(library_at_work());
    write_log(" has not come to an end within ");
    write_log(most_seconds_text);
    write_log(
        " after everything was done (a handler of atexit() or a destructor hangs): the process "
        "ends without it\n");
    _exit(code_at_end);
}

void end_at_once(int /*number*/)
{
    _exit(code_at_end);
}

void set_handler(int number, void (*handler)(int)) noexcept
{
    struct sigaction action {};
    action.sa_handler = handler;
    sigaction(number, &action, nullptr);
}

/// Tells this thread, whose callers then say what it is doing.
void start_last_clock() noexcept
{
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGALRM;
    event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
    timer_t timer{};
    itimerspec time{};
    time.it_value.tv_sec = most_seconds;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 ||
        timer_settime(timer, 0, &time, nullptr) != 0)
        alarm(most_seconds);
}

} // namespace

void limit_the_end(int exit_code) noexcept
{
    if constexpr (sanitizer_at_end)
        return;
    code_at_end = exit_code;
    void* frame = nullptr;
    (void)backtrace(&frame, 1); // loads what it needs, which a handler could not
    for (const int number : stop_signals) {
        struct sigaction now {};
        if (sigaction(number, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
            set_handler(number, end_at_once);
    }
    set_handler(SIGALRM, on_time_up);
    sigset_t all;
    sigemptyset(&all);
    for (const int number : stop_signals)
        sigaddset(&all, number);
    sigaddset(&all, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
    start_last_clock();
}

} // namespace senteval::host
