// measure.hpp -- what this process uses: time, memory, threads, descriptors.
#pragma once

#include <chrono>
#include <cstddef>

namespace senteval::check {

using Seconds = std::chrono::duration<double>;

/// CPU time of the process so far.
Seconds cpu_time();

/// Time that went by for this process: of the clock, without what its threads waited for a processor.
/// A busy machine does not make a plugin slow.
class OwnTime {
public:
    OwnTime();
    [[nodiscard]] Seconds passed() const;

private:
    std::chrono::steady_clock::time_point begin_;
    Seconds waited_;
    Seconds cpu_;
};

/// The threads there are now serve the program, not the plugin: what they wait, and whether they run,
/// does not count. Call it once, before the plugin is loaded.
void do_not_count_threads_so_far();

/// Threads of the process.
std::size_t thread_count();

/// Threads that run or could run, the calling one apart; 0 where the system does not tell.
std::size_t busy_threads();

/// The least of several looks, since the trial's own threads open files for a moment.
std::size_t open_descriptors();

/// Bytes that are allocated, the least of several looks; 0 where a sanitizer keeps the account.
std::size_t heap_bytes();

/// Bytes that lie in memory.
std::size_t resident_bytes();

/// Bytes of addresses that are in use, whether something lies there or not.
std::size_t mapped_bytes();

std::size_t page_size();

} // namespace senteval::check
