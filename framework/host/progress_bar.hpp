// progress_bar.hpp -- the bar below the lines of the log, where somebody looks at it.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace senteval::host {

/// "2 min 05 s"
std::string duration(double seconds);

/// On standard error. Shows nothing but lines where that is no terminal with style. Not thread-safe.
class ProgressBar {
public:
    explicit ProgressBar(bool wanted = true);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    ProgressBar(ProgressBar&&) = delete;
    ProgressBar& operator=(ProgressBar&&) = delete;

    [[nodiscard]] bool is_shown() const noexcept { return is_shown_; }

    /// Seconds since it was made.
    [[nodiscard]] double elapsed() const;

    /// Whether a drawing is wanted now: ten in a second at most, since a terminal over a slow line must
    /// not slow the work.
    [[nodiscard]] bool is_due() const;

    /// `share` of the bar is filled, from 0 to 1; behind it stand `text` and, where `seconds_left` is above
    /// 0 and the work is no longer young, the time left.
    void draw(double share, std::string text, double seconds_left);

    /// A line of its own, in place of the bar (and of what the terminal shows of a Ctrl-C).
    void line(std::string_view text);

    /// Makes room for a line that somebody else writes.
    void erase();

    /// Makes room for good: only lines are shown from now on.
    void put_away();

private:
    bool is_shown_;
    bool is_drawn_ = false;
    bool is_put_away_ = false;
    double last_drawn_ = -1;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace senteval::host
