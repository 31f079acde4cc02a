#include "host/ending.hpp"

#include "host/exit_codes.hpp"
#include "host/interrupt.hpp"
#include "host/output.hpp"
#include "host/supervision.hpp"

#include <cstdlib>
#include <exception>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace senteval::host {
namespace {

// The process ends once: this is state of the process. Needs no destruction, as it is used while
// exit() destroys everything else.
struct State {
    std::mutex mutex;
    const std::function<void(Ending)>* words = nullptr;
    bool is_guarded = false; ///< exit() is an error
    bool is_waived = false;  ///< a command is about to end by itself
    bool is_ending = false;  ///< last words are being said
    bool is_stop_said = false;
    pid_t number = 0; ///< of the process: one that foreign code forks has a copy of all this
};
constinit State process;

[[noreturn]] void wait_for_the_end()
{
    for (;;)
        pause();
}

/// Says the last words on this thread.
[[noreturn]] void end_program(Ending ending, std::unique_lock<std::mutex> lock)
{
    if (process.is_ending) {
        lock.unlock();
        wait_for_the_end();
    }
    process.is_ending = true;
    const auto* words = process.words;
    lock.unlock();
    try {
        if (words != nullptr)
            (*words)(ending);
        else if (ending == Ending::exit_called)
            note("senteval: a library that was loaded ended the program by calling exit()\n");
        else
            say_stopped();
    } catch (const std::exception& e) {
        note("senteval: {}\n", e.what());
    }
    const int exit_code = ending == Ending::exit_called ? exit_failed : exit_interrupted;
    say_goodbye(exit_code);
    _exit(exit_code);
}

void on_exit_called()
{
    if (getpid() != process.number)
        return;
    std::unique_lock lock(process.mutex);
    if (!process.is_guarded)
        return;
    // Another thread that calls exit() now would go on with what is registered before this.
    std::atexit(on_exit_called);
    end_program(Ending::exit_called, std::move(lock));
}

/// What was registered last is called first: before anything is destroyed that exists by now.
void watch_exit()
{
    std::atexit(on_exit_called);
    std::at_quick_exit(on_exit_called);
}

} // namespace

ExitGuard::ExitGuard()
{
    const std::lock_guard lock(process.mutex);
    process.is_guarded = true;
    process.number = getpid();
    watch_exit();
}

ExitGuard::~ExitGuard()
{
    const std::lock_guard lock(process.mutex);
    process.is_guarded = false;
}

LastWords::LastWords(std::function<void(Ending)> say) : say_(std::move(say))
{
    const std::lock_guard lock(process.mutex);
    process.words = &say_;
    process.is_waived = false;
    watch_exit();
}

LastWords::~LastWords()
{
    waive();
}

void LastWords::waive()
{
    std::unique_lock lock(process.mutex);
    if (process.is_ending) {
        lock.unlock();
        wait_for_the_end();
    }
    process.words = nullptr;
    process.is_waived = true;
}

void say_stopped(std::string_view rest)
{
    {
        const std::lock_guard lock(process.mutex);
        if (std::exchange(process.is_stop_said, true))
            return;
    }
    note("stopped{}{}\n",
         is_stopped_from_within() ? " by a signal that an encoder in this process sent" : "", rest);
}

void end_unanswered()
{
    std::unique_lock lock(process.mutex);
    if (!process.is_waived)
        end_program(Ending::stopped, std::move(lock));
}

} // namespace senteval::host
