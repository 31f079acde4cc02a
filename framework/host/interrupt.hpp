// interrupt.hpp -- Ctrl-C and SIGTERM as a stop request.
#pragma once

#include <stop_token>

namespace senteval::host {

/// Makes SIGINT and SIGTERM request a stop of the returned token; the second one ends the program at
/// once. A signal that is ignored when the program starts stays ignored. Call once.
std::stop_token stop_on_interrupt();

/// Exit code of a program ended by Ctrl-C, as shells know it.
inline constexpr int interrupted_exit_code = 130;

} // namespace senteval::host
