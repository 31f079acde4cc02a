// team.hpp -- a few threads that go through one piece of work in step.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace senteval::annex {

class Team {
public:
    explicit Team(unsigned threads) : size_(std::max(threads, 1U)) {}

    [[nodiscard]] unsigned size() const noexcept { return size_; }

    /// Calls work(0) ... work(size() - 1), each on a thread of its own, the caller's among them, and
    /// returns when all are done. An exception ends the program.
    void run(const std::function<void(unsigned member)>& work)
    {
        std::vector<std::thread> others;
        for (unsigned member = 1; member < size_; ++member)
            others.emplace_back(work, member);
        work(0);
        for (std::thread& other : others)
            other.join();
    }

    /// Within run(): waits for all members. They come within microseconds of each other, so that a thread looks
    /// for a while before it goes to sleep.
    void sync() noexcept
    {
        constexpr int patience = 20'000;
        const std::uint32_t phase = phase_.load(std::memory_order_acquire);
        if (waiting_.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
            waiting_.store(0, std::memory_order_relaxed);
            phase_.store(phase + 1, std::memory_order_release);
            phase_.notify_all();
            return;
        }
        for (int round = 0; round < patience; ++round)
            if (phase_.load(std::memory_order_acquire) != phase)
                return;
        phase_.wait(phase, std::memory_order_acquire);
    }

private:
    unsigned size_;
    std::atomic<unsigned> waiting_{0};
    std::atomic<std::uint32_t> phase_{0};
};

} // namespace senteval::annex
