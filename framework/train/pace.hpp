// pace.hpp -- with one thread or with all of them: whichever is faster now.
#pragma once

#include <array>
#include <chrono>

namespace senteval::train {

/// Threads in step wait for one another many times in a millisecond. Where other programs keep processors
/// busy, one thread alone is several times faster than two: both ways are timed now and then, the slower one
/// the less often the longer it has been so, and at once where the other one was twice as fast. What is computed does not depend on it.
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
    unsigned threads_;
    bool alone_ = false;
    bool trying_ = false;            ///< the way at work is the one that was slower
    std::array<Duration, 2> last_{}; ///< of all, and of one alone
    unsigned until_trial_ = 2;       ///< pieces: the first ones fill the caches
    unsigned interval_ = 32;         ///< pieces between two trials
};

} // namespace senteval::train
