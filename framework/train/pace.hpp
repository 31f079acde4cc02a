// pace.hpp -- with one thread or with all of them: whichever is faster now.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>

namespace senteval::train {

/// Threads in step wait for one another many times in a millisecond. Where other programs keep processors
/// busy, one thread alone is several times faster than two: both ways are timed now and then, the slower one
/// the less often the longer it has been so, and at once where the other one was twice as fast. The
/// most of three pieces decide, so that no single interruption does. What is computed does not depend
/// on it.
class Pace {
public:
    using Duration = std::chrono::steady_clock::duration;

    /// Of so many threads; 1: there is no choice.
    explicit Pace(unsigned threads) : threads_(threads) {}

    /// Threads for the next piece of work.
    [[nodiscard]] unsigned members() const noexcept { return alone_ ? 1 : threads_; }

    /// What a piece took, all pieces being of one size. Pieces of another size are not told.
    void took(Duration time);

private:
    /// The last pieces of one way.
    struct Way {
        std::array<Duration, 3> times{};
        std::size_t count = 0; ///< of all its pieces

        void add(Duration time) { times[count++ % times.size()] = time; }
        [[nodiscard]] Duration middle() const;
    };

    [[nodiscard]] Way& way(bool alone) noexcept { return ways_[alone ? 1 : 0]; }
    void begin_trial() noexcept;
    void judge_trial(bool was_faster) noexcept;

    unsigned threads_;
    bool alone_ = false;
    bool trying_ = false; ///< the way at work is the one that was slower
    unsigned faster_ = 0; ///< pieces of the trial that were
    unsigned slower_ = 0; ///< and that were not
    std::array<Way, 2> ways_;
    unsigned until_trial_ = 4; ///< pieces: the first one fills the caches
    unsigned interval_ = 32;   ///< pieces between two trials
};

} // namespace senteval::train
