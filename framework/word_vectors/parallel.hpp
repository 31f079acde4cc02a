// parallel.hpp -- a call's work, cut into chunks, on the threads the host allows.
#pragma once

#include <senteval/encoder.hpp>

#include <cstddef>
#include <functional>

namespace senteval::word_vectors {

/// Calls body(0) ... body(count - 1), each once, on at most call.thread_budget() threads. The
/// caller's thread, which works too, reports progress and looks for cancellation between chunks.
/// Throws what a body threw first, or sdk::Cancelled.
void for_each_chunk(const sdk::Call& call,
                    std::size_t count,
                    const std::function<void(std::size_t)>& body);

} // namespace senteval::word_vectors
