// optimizer.hpp -- torch's optimisers, by the original's option strings ("adam", "sgd,lr=0.1"), and
// when to stop training, by the score on the dev items.
#pragma once

#include "learn/kernels.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

namespace senteval::learn {

class Optimizer {
public:
    /// Parses "name" or "name,key=value,...". Throws base::UsageError for an unknown name or key, a
    /// value that is no number or out of range, and sgd without lr.
    explicit Optimizer(std::string_view text);

    [[nodiscard]] Method method() const noexcept { return method_; }

    /// Initial value of the running square (AdaGrad's accumulator, Rprop's step; 0 otherwise).
    [[nodiscard]] float initial_square() const noexcept;

    /// The learning rate, without what the method corrects it by.
    [[nodiscard]] double base_rate() const noexcept { return options_[0]; }

    /// Constants of step number `step`, counted from 1.
    [[nodiscard]] StepConstants constants(std::size_t step) const;

private:
    static constexpr std::size_t max_options = 4;

    Method method_;
    std::array<double, max_options> options_{}; ///< in the order of the method's keys
};

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
