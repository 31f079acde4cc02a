// task_clock.hpp -- the time that an encoder's calls take for a task, where several run at once.
#pragma once

#include <chrono>
#include <mutex>

namespace senteval::isolation {

/// From any thread.
class TaskClock {
public:
    using Clock = std::chrono::steady_clock;

    void reset()
    {
        const std::lock_guard lock(mutex_);
        spent_ = Clock::duration::zero();
        begin_ = Clock::now();
    }

    /// Runs the clock while it lives; of several, it runs once.
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
