// classification.hpp -- how predicted classes meet the gold ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::stats {

/// Counts of (gold class, predicted class).
class Confusion {
public:
    /// Throws core::Error where the lists differ in length or name a class >= classes.
    Confusion(std::span<const std::uint32_t> gold,
              std::span<const std::uint32_t> predicted,
              std::size_t classes);

    [[nodiscard]] std::size_t classes() const noexcept { return classes_; }
    [[nodiscard]] std::size_t items() const noexcept { return items_; }
    [[nodiscard]] std::size_t count(std::size_t gold, std::size_t predicted) const
    {
        return counts_[gold * classes_ + predicted];
    }

    [[nodiscard]] std::size_t correct() const;
    [[nodiscard]] std::size_t gold_count(std::size_t label) const;
    [[nodiscard]] std::size_t predicted_count(std::size_t label) const;

    /// Share of items in [0, 1]; NaN without items.
    [[nodiscard]] double accuracy() const;

    /// 2 TP / (2 TP + FP + FN) in [0, 1]; 0 where the class occurs nowhere (scikit-learn's rule).
    [[nodiscard]] double f1(std::size_t positive = 1) const;

private:
    std::size_t classes_;
    std::size_t items_;
    std::vector<std::size_t> counts_; ///< classes x classes, gold class by gold class
};

} // namespace senteval::stats
