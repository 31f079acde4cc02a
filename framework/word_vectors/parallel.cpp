#include "word_vectors/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace senteval::word_vectors {

void for_each_chunk(const sdk::Call& call,
                    std::size_t count,
                    const std::function<void(std::size_t)>& body)
{
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;

    const auto work = [&](const sdk::Call* own_call) {
        try {
            for (std::size_t chunk = next++; chunk < count; chunk = next++) {
                if (own_call != nullptr) {
                    own_call->check_cancelled();
                    own_call->progress(chunk, count);
                }
                body(chunk);
            }
        } catch (...) {
            const std::lock_guard lock(failure_mutex);
            if (!failure)
                failure = std::current_exception();
            next = count;
        }
    };
    {
        const std::size_t threads = std::min<std::size_t>(call.thread_budget(), count);
        std::vector<std::jthread> helpers;
        for (std::size_t helper = 1; helper < threads; ++helper)
            helpers.emplace_back(work, nullptr);
        work(&call);
    }
    if (failure)
        std::rethrow_exception(failure);
}

} // namespace senteval::word_vectors
