// supervision.hpp -- a second process beside a run's, for what one process cannot say of its own end.
//
// Encoders that come with the program, and all with --no-isolate, are in the program's process, and so is the
// code that they load: it may call _exit(), execute another program or crash, and what it prints goes to
// wherever the log goes. So a run is carried out by a child of the process that was started. That one
// does three things: it shows what is printed (core::PrintedText), passes signals on, and says how the
// run ended where the run could not, in place of a status that may be 0.
#pragma once

#include <string_view>

namespace senteval::host {

/// Returns in the child; the process that called it waits for that, and ends as it does. Does nothing where
/// there can be no child, or a debugger is at work. Before a thread is started, after claim_standard_output().
void supervise_this_process();

/// Whom the supervisor names from here on; `task` may be empty. From one thread.
void tell_at_work(std::string_view encoder, std::string_view task) noexcept;

/// Whether this is the process that supervises this one.
bool is_supervisor(int process) noexcept;

/// The program ends in order, with this exit code, whatever foreign code does from here on.
void say_goodbye(int exit_code) noexcept;

} // namespace senteval::host
