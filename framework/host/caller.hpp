// caller.hpp -- a program that starts this one for an encoder of its own, as the Python module does, and says so in the
// environment: SENTEVAL_CALLER=PID, or PID:SOCKET where it has a similarity of its own, too.
#pragma once

#include "tasks/protocols/similarity.hpp"

namespace senteval::host {

/// Has this process end, as by SIGTERM, when its caller does. Without effect where there is none.
void end_with_caller();

/// What the caller says of two vectors; empty where it has no similarity of its own. Each question is the dimension
/// (uint32) and both vectors (float32), the answer a float64, all little-endian. Call the function from one thread; it
/// throws base::Error where the caller has closed the socket.
tasks::SimilarityFunction similarity_of_caller();

} // namespace senteval::host
