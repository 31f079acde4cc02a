// limits.hpp -- what an encoder in a process of its own may take, and how such a process is started.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace senteval::isolation {

/// Zero: no limit.
struct Limits {
    std::chrono::milliseconds call{0}; ///< for a call; making the encoder is one
    std::chrono::milliseconds task{0}; ///< for all calls of a task together
    std::uint64_t memory = 0;          ///< bytes that it may allocate
    std::uint64_t open_files = 0;
};

/// "; it may allocate 64 MiB (--limit-memory) and open 20 files (--limit-files)": what follows the reason of a
/// failure, which may be one of these; nothing where there are none.
std::string limits_text(const Limits& limits);

/// The program that serves encoders, by default this one, and its limits.
struct Service {
    std::vector<std::string> program = {"/proc/self/exe"};
    Limits limits = {};
    unsigned threads = 1; ///< that call a concurrent encoder at the same time
};

/// The time that an encoder's calls take for a task, where several run at once. From any thread.
class TaskClock {
public:
    using Clock = std::chrono::steady_clock;

    void reset()
    {
        const std::lock_guard lock(mutex_);
        spent_ = Clock::duration::zero();
        begin_ = Clock::now();
    }

    /// Runs the clock while it lives. Time that several share counts once.
    class Running {
    public:
        explicit Running(TaskClock& clock) : clock_(clock) { clock_.start(); }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;
        Running(Running&&) = delete;
        Running& operator=(Running&&) = delete;
        ~Running() { clock_.stop(); }

    private:
        TaskClock& clock_;
    };

    [[nodiscard]] std::chrono::milliseconds spent() const
    {
        const std::lock_guard lock(mutex_);
        const auto now = running_ > 0 ? Clock::now() - begin_ : Clock::duration::zero();
        return std::chrono::duration_cast<std::chrono::milliseconds>(spent_ + now);
    }

private:
    void start()
    {
        const std::lock_guard lock(mutex_);
        if (running_++ == 0)
            begin_ = Clock::now();
    }
    void stop()
    {
        const std::lock_guard lock(mutex_);
        if (--running_ == 0)
            spent_ += Clock::now() - begin_;
    }

    mutable std::mutex mutex_;
    int running_ = 0;
    Clock::time_point begin_;
    Clock::duration spent_{};
};

} // namespace senteval::isolation
