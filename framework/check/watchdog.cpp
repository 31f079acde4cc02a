#include "check/watchdog.hpp"

#include "check/services.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace senteval::check {
namespace {

/// How much longer a call may work that has been cancelled: an order of magnitude more than the rule says.
constexpr Seconds grace(10);

std::atomic<const char*> running{nullptr};
std::atomic<std::size_t> calls{0};

} // namespace

Watchdog::Running::Running(const char* function) noexcept
{
    running = function;
    ++calls;
}

Watchdog::Running::~Running()
{
    if (--calls == 0)
        running = nullptr;
}

Watchdog::Watchdog(Reporter& reporter, Seconds limit)
    // The thread opens no file before the limit: a trial may count open files.
    : reporter_(reporter), thread_([this, limit, time = OwnTime()] { watch(limit, time); })
{
}

Watchdog::~Watchdog()
{
    stop_ = true;
    thread_.join();
}

void Watchdog::watch(Seconds limit, const OwnTime& time)
{
    const auto begin = std::chrono::steady_clock::now();
    while (!stop_) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        // It is never more than what the clock says, and asking disturbs what others measure.
        if (std::chrono::steady_clock::now() - begin <= limit)
            continue;
        const Seconds passed = time.passed();
        if (passed > limit)
            TrialCall::cancel_all();
        const char* const function = running;
        if (passed <= limit + grace || function == nullptr)
            continue;
        reporter_.broken("5.5", reporter_.shown(),
                         fmt::format("{} had not returned {:.0f} s after it was cancelled",
                                     function, grace.count()));
        reporter_.give_up();
        _exit(0);
    }
}

} // namespace senteval::check
