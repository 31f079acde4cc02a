// interrupt.hpp -- Ctrl-C, SIGTERM and a terminal that is closed as a stop request.
#pragma once

#include <stop_token>
#include <string_view>

namespace senteval::host {

/// Makes these signals request a stop of the returned token; the second ends the program at once. What is finished
/// is in the store either way. A signal that the process of an encoder sends stops nothing. A signal that is ignored when the program starts stays ignored. Call once.
std::stop_token stop_on_interrupt();

/// The line "stopped", and after it `rest`, what becomes of the work: once, in the words of who is first.
void say_stopped(std::string_view rest = {});

} // namespace senteval::host
