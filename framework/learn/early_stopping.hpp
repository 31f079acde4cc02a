// early_stopping.hpp -- when to stop training, by the score on the dev items.
#pragma once

#include <cstddef>

namespace senteval::learn {

/// Ends at non-improvement number tenacity + 1. They are counted in total: an improvement does not
/// reset the count, as in the original.
class EarlyStopping {
public:
    explicit EarlyStopping(std::size_t tenacity) : tenacity_(tenacity) {}

    /// True where the score is the best so far.
    bool improves(double score)
    {
        if (score > best_) {
            best_ = score;
            return true;
        }
        ++misses_;
        return false;
    }

    [[nodiscard]] bool stops() const noexcept { return misses_ > tenacity_; }
    [[nodiscard]] double best() const noexcept { return best_; }

private:
    std::size_t tenacity_;
    std::size_t misses_ = 0;
    double best_ = -1;
};

} // namespace senteval::learn
