#include "train/team.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace senteval::train {

namespace {

/// Rounds of looking before a thread goes to sleep: some microseconds.
constexpr int patience = 2000;

constexpr std::uint32_t one_round = 256;

void breathe() noexcept
{
#if defined(__x86_64__)
    _mm_pause();
#endif
}

/// Until the counter is no more what it was.
void wait_for_change(const std::atomic<std::uint32_t>& counter, std::uint32_t old) noexcept
{
    for (int round = 0; round < patience; ++round) {
        if (counter.load(std::memory_order_acquire) != old)
            return;
        breathe();
    }
    counter.wait(old, std::memory_order_acquire);
}

} // namespace

Team::Team(unsigned threads) : size_(std::clamp(threads, 1U, one_round - 1))
{
    for (unsigned member = 1; member < size_; ++member)
        threads_.emplace_back([this, member] { serve(member); });
}

Team::~Team()
{
    size_ = capacity();
    begin(nullptr);
    for (std::thread& thread : threads_)
        thread.join();
}

void Team::begin(const std::function<void(unsigned)>* work) noexcept
{
    work_ = work;
    const std::uint32_t now = round_.load(std::memory_order_relaxed) / one_round * one_round;
    round_.store(now + one_round + size_, std::memory_order_release);
    round_.notify_all();
}

void Team::serve(unsigned member)
{
    for (std::uint32_t seen = 0;;) {
        wait_for_change(round_, seen);
        seen = round_.load(std::memory_order_acquire);
        if (member >= seen % one_round)
            continue; // not for this one, and the next may be on its way: nothing else is looked at
        if (work_ == nullptr)
            return;
        (*work_)(member);
        sync();
    }
}

void Team::run(const std::function<void(unsigned member)>& work)
{
    begin(&work);
    work(0);
    sync();
}

void Team::sync() noexcept
{
    const unsigned members = size_; // read here: once all have come, the next run() may change it
    if (members == 1)
        return;
    const std::uint32_t phase = phase_.load(std::memory_order_acquire);
    if (waiting_.fetch_add(1, std::memory_order_acq_rel) + 1 == members) {
        waiting_.store(0, std::memory_order_relaxed);
        phase_.store(phase + 1, std::memory_order_release);
        phase_.notify_all();
        return;
    }
    wait_for_change(phase_, phase);
}

} // namespace senteval::train
