#include "word_vectors/parallel.hpp"

#include "base/parallel.hpp"

#include <thread>

namespace senteval::word_vectors {

void for_each_chunk(const sdk::Call& call,
                    std::size_t count,
                    const std::function<void(std::size_t)>& body)
{
    base::parallel_for(count, call.thread_budget(),
                       [&, caller = std::this_thread::get_id()](std::size_t chunk) {
                           if (std::this_thread::get_id() == caller) {
                               call.check_cancelled();
                               call.progress(chunk, count);
                           }
                           body(chunk);
                       });
}

} // namespace senteval::word_vectors
