// interrupt.hpp -- Ctrl-C, SIGTERM and a terminal that is closed as a stop request.
#pragma once

#include <array>
#include <csignal>
#include <stop_token>

namespace senteval::host {

/// By which the program is asked to stop.
inline constexpr std::array<int, 3> stop_signals{SIGINT, SIGTERM, SIGHUP};

/// Makes these signals request a stop of the returned token. Where that is not answered within
/// two seconds the program ends after its last words (see ending.hpp), at the second signal at once, and at
/// the third without them. A signal that is ignored when the program starts stays ignored. Call once.
std::stop_token stop_on_interrupt();

} // namespace senteval::host
