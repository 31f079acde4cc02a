#include "learn/jobs.hpp"

#include "core/error.hpp"
#include "core/parallel.hpp"

#include <algorithm>

namespace senteval::learn {

void Jobs::run(std::size_t count,
               std::size_t fits,
               const std::function<void(std::size_t job, const FitProgress& progress)>& job)
{
    core::parallel_for(count, options_.threads, [&](std::size_t number) {
        if (options_.stop.stop_requested())
            throw core::Cancelled();
        std::size_t known = 0;
        const auto progress = [&](std::size_t done) {
            if (done > known)
                add(done - known);
            known = std::max(known, done);
        };
        job(number, progress);
        progress(fits);
    });
}

void Jobs::add(std::size_t fits)
{
    const std::lock_guard lock(mutex_);
    done_ += fits;
    if (options_.progress)
        options_.progress(done_, total_);
}

} // namespace senteval::learn
