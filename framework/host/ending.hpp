// ending.hpp -- the end of the program where it does not come from the program itself.
//
// An encoder is foreign code: it may call exit(), or work on without asking whether it should stop.
// Neither may lose what is finished, nor pass for success. What cannot be helped inside one process:
// _exit() and a crash (see supervision.hpp).
#pragma once

#include <functional>
#include <string_view>

namespace senteval::host {

enum class Ending {
    exit_called, ///< foreign code called exit() or quick_exit(): exit code 1
    stopped      ///< a stop was requested and not answered in time: exit code 130
};

/// While it lives, an exit() that does not come from main() is an error: it is told, last words are
/// said and the exit code is 1. One at a time, made by main().
class ExitGuard {
public:
    ExitGuard();
    ~ExitGuard();
    ExitGuard(const ExitGuard&) = delete;
    ExitGuard& operator=(const ExitGuard&) = delete;
    ExitGuard(ExitGuard&&) = delete;
    ExitGuard& operator=(ExitGuard&&) = delete;
};

/// What a command has to say when it is ended before it could: the results it has. One at a time.
class LastWords {
public:
    /// `say` runs at most once, on any thread, while the command's own may still be at work; the
    /// program ends after it.
    explicit LastWords(std::function<void(Ending)> say);
    ~LastWords();
    LastWords(const LastWords&) = delete;
    LastWords& operator=(const LastWords&) = delete;
    LastWords(LastWords&&) = delete;
    LastWords& operator=(LastWords&&) = delete;

    /// From here on the command speaks for itself, however long that takes. Does not return where
    /// the last words are being said already.
    void waive();

private:
    std::function<void(Ending)> say_;
};

/// The line "stopped", and after it `rest`, what becomes of the work: once, in the words of who is first.
void say_stopped(std::string_view rest = {});

/// Ends the program for a stop that was requested a while ago, after the last words; returns where a
/// command has waived them, because it is about to end by itself.
void end_unanswered();

} // namespace senteval::host
