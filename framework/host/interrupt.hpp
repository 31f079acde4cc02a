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
/// the third without them. What an encoder in a process of its own sends, or a program that it started, stops
/// nothing (see core/lineage.hpp). A signal that is ignored when the program starts stays ignored. Call once.
std::stop_token stop_on_interrupt();

/// Whether the signal that asked for the stop was sent by this process itself: by an encoder in it.
bool is_stopped_from_within() noexcept;

} // namespace senteval::host
