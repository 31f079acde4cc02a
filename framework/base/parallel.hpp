// parallel.hpp -- independent jobs on a few threads.
#pragma once

#include <cstddef>
#include <functional>

namespace senteval::base {

/// Calls body(0) ... body(count - 1), each once, on at most `threads` threads (the caller's among
/// them), and returns when all are done. Jobs start in order of their number. The first exception
/// stops the jobs that have not started and is thrown again here. Results must not depend on which
/// thread ran a job: write to a slot of the job's own.
void parallel_for(std::size_t count,
                  unsigned threads,
                  const std::function<void(std::size_t)>& body);

/// Processors this process may use, at least 1.
unsigned available_threads();

} // namespace senteval::base
