// optimizer.hpp -- torch's optimisers, by the original's option strings: "adam", "sgd,lr=0.1".
#pragma once

#include "learn/kernels.hpp"

#include <array>
#include <cstddef>
#include <string_view>

namespace senteval::learn {

class Optimizer {
public:
    /// Parses "name" or "name,key=value,...". Throws core::UsageError for an unknown name or key, a
    /// value that is no number or out of range, and sgd without lr.
    explicit Optimizer(std::string_view text);

    [[nodiscard]] Method method() const noexcept { return method_; }

    /// Initial value of the running square (AdaGrad's accumulator, Rprop's step; 0 otherwise).
    [[nodiscard]] float initial_square() const noexcept;

    /// The learning rate, without what the method corrects it by.
    [[nodiscard]] double base_rate() const noexcept { return options_[0]; }

    /// Of step number `step`, counted from 1.
    [[nodiscard]] StepConstants constants(std::size_t step) const;

private:
    static constexpr std::size_t max_options = 4;

    Method method_;
    std::array<double, max_options> options_{}; ///< in the order of the method's keys
};

} // namespace senteval::learn
