#include "learn/jobs.hpp"

#include "core/error.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

namespace senteval::learn {

void Jobs::run(std::size_t count,
               std::size_t fits,
               const std::function<void(std::size_t job, const FitProgress& progress)>& job)
{
    core::parallel_for(count, options_.threads, [&](std::size_t number) {
        check_stop();
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

std::vector<JobResult> Jobs::results(std::size_t count, std::size_t fits, const Job& job)
{
    if (options_.shared != nullptr)
        return shared_results({stages_++, count}, fits, job);
    std::vector<JobResult> results(count);
    run(count, fits, [&](std::size_t number, const FitProgress& progress) {
        results[number] = job(number, progress);
    });
    return results;
}

std::vector<JobResult> Jobs::shared_results(const JobStage& stage, std::size_t fits, const Job& job)
{
    constexpr std::chrono::milliseconds look_again{20};
    SharedJobs& shared = *options_.shared;
    const std::size_t before = done_;
    std::atomic<bool> has_failed = false;
    const auto work = [&] {
        try {
            while (const auto number = has_failed ? std::nullopt : take(stage))
                advance(before + fits * shared.give(stage, *number, job(*number, {})));
        } catch (...) {
            has_failed = true; // the other threads begin no more
            throw;
        }
    };
    core::parallel_for(options_.threads, options_.threads, [&](std::size_t) { work(); });
    for (;;) {
        SharedJobs::Gathered all = shared.gather(stage);
        advance(before + fits * all.done);
        if (all.done == stage.count)
            return std::move(all.results);
        std::this_thread::sleep_for(look_again);
        work(); // what another process could not do
    }
}

std::optional<std::size_t> Jobs::take(const JobStage& stage)
{
    check_stop();
    return options_.shared->take(stage);
}

void Jobs::check_stop() const
{
    if (options_.stop.stop_requested())
        throw core::Cancelled();
}

void Jobs::add(std::size_t fits)
{
    const std::lock_guard lock(mutex_);
    tell(done_ + fits);
}

/// Progress goes forward, whatever the order in which threads hear of it.
void Jobs::advance(std::size_t done)
{
    const std::lock_guard lock(mutex_);
    if (done > done_)
        tell(done);
}

/// Under the lock.
void Jobs::tell(std::size_t done)
{
    done_ = done;
    if (options_.progress)
        options_.progress(done_, total_);
}

} // namespace senteval::learn
