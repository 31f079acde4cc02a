#include "train/team.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace senteval::train {

namespace {

/// Rounds of looking before a thread goes to sleep: some microseconds.
constexpr int patience = 2000;

void breathe() noexcept
{
#if defined(__x86_64__)
    _mm_pause();
#endif
}

} // namespace

Team::Team(unsigned threads) : size_(std::max(threads, 1U))
{
    for (unsigned member = 1; member < size_; ++member)
        threads_.emplace_back([this, member] { serve(member); });
}

Team::~Team()
{
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

void Team::serve(unsigned member)
{
    std::uint64_t seen = 0;
    for (;;) {
        const std::function<void(unsigned)>* work = nullptr;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return ends_ || round_ != seen; });
            if (ends_)
                return;
            seen = round_;
            work = work_;
        }
        (*work)(member);
        sync();
    }
}

void Team::run(const std::function<void(unsigned member)>& work)
{
    {
        const std::lock_guard lock(mutex_);
        work_ = &work;
        ++round_;
    }
    changed_.notify_all();
    work(0);
    sync();
}

void Team::sync() noexcept
{
    if (size_ == 1)
        return;
    const std::uint32_t phase = phase_.load(std::memory_order_acquire);
    if (waiting_.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
        waiting_.store(0, std::memory_order_relaxed);
        phase_.store(phase + 1, std::memory_order_release);
        phase_.notify_all();
        return;
    }
    for (int round = 0; round < patience; ++round) {
        if (phase_.load(std::memory_order_acquire) != phase)
            return;
        breathe();
    }
    phase_.wait(phase, std::memory_order_acquire);
}

} // namespace senteval::train
