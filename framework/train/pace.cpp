#include "train/pace.hpp"

#include <algorithm>

namespace senteval::train {

Pace::Duration Pace::Way::middle() const
{
    auto sorted = times;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
}

void Pace::took(Duration time)
{
    if (threads_ == 1)
        return;
    way(alone_).add(time);
    const Duration other = way(!alone_).middle();
    if (trying_)
        judge_trial(time < other);
    else if (--until_trial_ == 0 || (other.count() > 0 && way(alone_).middle() > 2 * other))
        begin_trial();
}

void Pace::begin_trial() noexcept
{
    trying_ = true;
    alone_ = !alone_;
    faster_ = slower_ = 0;
}

void Pace::judge_trial(bool was_faster) noexcept
{
    constexpr unsigned often = 32;
    constexpr unsigned seldom = 512;
    constexpr unsigned most = 2; // of three
    ++(was_faster ? faster_ : slower_);
    if (faster_ < most && slower_ < most)
        return;
    trying_ = false;
    interval_ = faster_ == most ? often : std::min(2 * interval_, seldom);
    until_trial_ = interval_;
    if (slower_ == most)
        alone_ = !alone_;
}

} // namespace senteval::train
