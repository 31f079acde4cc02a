#include "check/watchdog.hpp"

#include "check/services.hpp"
#include "isolation/crash_report.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

namespace senteval::check {
namespace {

/// How much longer a call may work that has been cancelled: an order of magnitude more than the rule says.
constexpr Seconds grace(10);

std::atomic<const char*> running{nullptr};
std::atomic<std::size_t> calls{0};
std::atomic<std::size_t> instances{0};

/// By the name of its function; describe, which is none, where a crash record has no name for it.
isolation::Operation operation_of(std::string_view function)
{
    using isolation::Operation;
    for (const Operation one : {Operation::create, Operation::prepare, Operation::dimension,
                                Operation::encode, Operation::count_known, Operation::destroy})
        if (isolation::phase_of(one).substr(std::string_view("in ").size()) == function)
            return one;
    return {};
}

/// What is broken by a function that does not return.
std::pair<std::string_view, std::string> rule_of(std::string_view function, std::string_view step)
{
    const std::size_t others = instances - (function == "create()" ? 0 : 1);
    if (step == "12.2")
        return {"12.2", ", while others ran"};
    if (instances > 0 && others > 0)
        return {"5.1", others == 1 ? ", while there was another instance"
                                   : fmt::format(", while there were {} other instances", others)};
    return {"5.5", ""};
}

} // namespace

Watchdog::Running::Running(const char* function) noexcept
{
    running = function;
    ++calls;
    isolation::WatchedThread::begins(operation_of(function), nullptr);
}

Watchdog::Running::~Running()
{
    if (--calls == 0)
        running = nullptr;
    isolation::WatchedThread::ends();
}

Watchdog::Alive::Alive() noexcept
{
    ++instances;
}

Watchdog::Alive::~Alive()
{
    --instances;
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
        const auto [rule, meanwhile] = rule_of(function, reporter_.rule());
        reporter_.broken(rule, reporter_.shown(),
                         fmt::format("{} had not returned {:.0f} s after it was cancelled{}",
                                     function, grace.count(), meanwhile));
        reporter_.give_up();
        _exit(0);
    }
}

} // namespace senteval::check
