// early_stopping.hpp -- when to stop training, by the score on the dev items.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>

namespace senteval::learn {

/// Ends at non-improvement number tenacity + 1. They are counted in total: an improvement does not
/// reset the count, as in the original. The first score is the best so far whatever it is, so that there
/// is always a model to keep; one that is not a number gives way to any number.
class EarlyStopping {
public:
    explicit EarlyStopping(std::size_t tenacity) : tenacity_(tenacity) {}

    /// True where the score is the best so far.
    bool improves(double score)
    {
        if (!best_ || score > *best_ || (std::isnan(*best_) && !std::isnan(score))) {
            best_ = score;
            return true;
        }
        ++misses_;
        return false;
    }

    [[nodiscard]] bool stops() const noexcept { return misses_ > tenacity_; }
    [[nodiscard]] double best() const { return best_.value(); } ///< after the first score

private:
    std::size_t tenacity_;
    std::size_t misses_ = 0;
    std::optional<double> best_;
};

} // namespace senteval::learn
