// exit_codes.hpp -- how the program ends.
#pragma once

#include <csignal>

namespace senteval::host {

inline constexpr int exit_failed = 1; ///< some task failed, or what was asked for cannot be done
inline constexpr int exit_usage = 2;  ///< usage or configuration
inline constexpr int exit_interrupted = 128 + SIGINT;  ///< as shells know it
inline constexpr int exit_closed_pipe = 128 + SIGPIPE; ///< likewise

} // namespace senteval::host
