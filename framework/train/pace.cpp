#include "train/pace.hpp"

#include <algorithm>

namespace senteval::train {

void Pace::took(Duration time)
{
    constexpr unsigned often = 32;
    constexpr unsigned seldom = 1024;
    if (threads_ == 1)
        return;
    last_[alone_ ? 1 : 0] = time;
    if (trying_) {
        trying_ = false;
        const bool was_alone = !alone_;
        const bool is_faster = time < last_[was_alone ? 1 : 0];
        interval_ = is_faster ? often : std::min(2 * interval_, seldom);
        until_trial_ = interval_;
        if (!is_faster)
            alone_ = was_alone;
    } else if (const Duration other = last_[alone_ ? 0 : 1];
               --until_trial_ == 0 || (other.count() > 0 && time > 2 * other)) {
        trying_ = true;
        alone_ = !alone_;
    }
}

} // namespace senteval::train
