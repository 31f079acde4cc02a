// last_seconds.hpp -- what runs after main(): handlers that libraries registered, and their destructors.
#pragma once

namespace senteval::host {

/// Bounds what follows main(), where foreign code may hang: after ten seconds the log is told which library
/// is at work, and the process ends with `exit_code`; at a signal to stop at once. Call it last, on the main
/// thread. Does nothing under a sanitizer, which has work of its own then.
void limit_the_end(int exit_code) noexcept;

} // namespace senteval::host
