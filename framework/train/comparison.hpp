// comparison.hpp -- every sentence of a minibatch beside every other one: cosines, and who is nearest to whom.
#pragma once

#include "learn/aligned.hpp"
#include "train/kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace senteval::train {

/// Sentences 0 ... pairs - 1 and their partners pairs ... 2 pairs - 1, two pairs at least, on some threads: the
/// members. Each pair of sentences is looked at once; the result is the same on any number of members.
template <typename T>
class Comparison {
public:
    Comparison(std::size_t width, unsigned members);

    /// Makes room for so many pairs. By one thread.
    void reserve(std::size_t pairs);

    /// A sentence's vector, to be filled: of length 1, or of zeros. Different ones by any threads.
    [[nodiscard]] T* unit(std::size_t sentence) noexcept
    {
        return units_.data() + sentence * stride_;
    }
    [[nodiscard]] const T* unit(std::size_t sentence) const noexcept
    {
        return units_.data() + sentence * stride_;
    }
    [[nodiscard]] std::size_t stride() const noexcept { return stride_; }

    /// Says that `count` vectors from `first` on are there. By the thread that filled them.
    void add(std::size_t first, std::size_t count);

    /// By each of so many members, after all have added.
    void compare(unsigned member, unsigned members, std::size_t pairs);

    /// After all have compared, by any thread: the sentence nearest to one, itself and its partner left out; the
    /// first of equal ones.
    [[nodiscard]] std::uint32_t nearest(std::uint32_t sentence) const noexcept;

    /// The cosine of two sentences that are neither the same nor partners.
    [[nodiscard]] T cosine(std::uint32_t one, std::uint32_t other) const noexcept
    {
        return cosines_[std::min(one, other) * columns_ + std::max(one, other)];
    }
    [[nodiscard]] T partner_cosine(std::size_t pair) const noexcept
    {
        return partner_cosines_[pair];
    }

private:
    /// What a member found, of each sentence.
    struct Found {
        learn::AlignedVector<T> largest;
        learn::AlignedVector<std::int32_t> nearest;
    };

    void compare_strip(Found& found, std::size_t pairs, std::size_t first);

    const Kernels<T>& kernels_ = kernels<T>();
    std::size_t width_;
    std::size_t stride_;
    std::size_t columns_ = 0;         ///< from one row of cosines_ to the next
    learn::AlignedVector<T> units_;   ///< and, behind them, what a whole strip reads
    learn::AlignedVector<T> panels_;  ///< transposed (kernels.hpp)
    learn::AlignedVector<T> cosines_; ///< of each sentence with those behind it
    std::vector<T> partner_cosines_;
    std::vector<Found> found_;  ///< of each member
    std::size_t comparing_ = 0; ///< of them, those that took part
};

extern template class Comparison<float>;
extern template class Comparison<double>;

} // namespace senteval::train
