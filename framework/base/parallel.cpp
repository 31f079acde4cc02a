#include "base/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace senteval::base {

void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& body)
{
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;

    const auto work = [&] {
        for (std::size_t job = next++; job < count; job = next++) {
            try {
                body(job);
            } catch (...) {
                const std::lock_guard lock(failure_mutex);
                if (!failure)
                    failure = std::current_exception();
                next = count;
            }
        }
    };
    {
        const std::size_t helpers = std::min<std::size_t>(std::max(threads, 1U), count);
        std::vector<std::jthread> pool;
        for (std::size_t helper = 1; helper < helpers; ++helper)
            pool.emplace_back(work);
        work();
    }
    if (failure)
        std::rethrow_exception(failure);
}

unsigned available_threads()
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return std::max(1U, static_cast<unsigned>(CPU_COUNT(&set)));
    return std::max(1U, std::thread::hardware_concurrency());
}

} // namespace senteval::base
