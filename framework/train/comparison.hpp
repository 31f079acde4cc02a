// comparison.hpp -- every sentence of a minibatch beside every other one: cosines, and who is nearest to whom.
#pragma once

#include "learn/aligned.hpp"
#include "train/columns.hpp"
#include "train/kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace senteval::train {

/// A sentence beside another one.
template <typename T>
struct OtherSentence {
    std::uint32_t sentence = 0;
    T cosine = 0;
};

/// Sentences 0 ... pairs - 1 and their partners pairs ... 2 pairs - 1, two pairs at least, on some threads: the
/// members. Each pair of sentences is looked at once; the result is the same on any number of members.
template <typename T>
class Comparison {
public:
    /// Vectors come in parts of their columns. Where it `keeps_all` cosines, that of any two sentences
    /// can be asked for.
    Comparison(std::size_t width, std::vector<Columns> parts, unsigned members, bool keeps_all);

    /// Makes room for so many pairs. By one thread.
    void reserve(std::size_t pairs);

    /// A part of all sentences' vectors, to be filled: in rows of so many values as it has columns.
    /// Each part has memory of its own, so that threads that fill different ones do not write to
    /// neighbouring lines.
    [[nodiscard]] T* vectors(std::size_t part) noexcept { return vectors_[part].data(); }
    [[nodiscard]] const T* vectors(std::size_t part) const noexcept
    {
        return vectors_[part].data();
    }
    [[nodiscard]] const std::vector<Columns>& parts() const noexcept { return parts_; }

    /// By each of so many members, after all vectors are there.
    void compare(unsigned member, unsigned members, std::size_t pairs);

    // After compare(), by the same member. ---------------------------------------------------------

    /// The vectors, divided by their lengths; stride() from one to the next.
    [[nodiscard]] const T* units(unsigned member) const noexcept
    {
        return own_[member].units.data();
    }
    [[nodiscard]] std::size_t stride() const noexcept { return stride_; }
    [[nodiscard]] T inverse_length(unsigned member, std::size_t sentence) const noexcept
    {
        return own_[member].inverse_lengths[sentence];
    }

    // After all have compared, by any thread. ------------------------------------------------------

    /// The sentence nearest to one, itself and its partner left out; the first of equal ones.
    [[nodiscard]] OtherSentence<T> nearest(std::uint32_t sentence) const noexcept;

    /// The cosine of two sentences that are neither the same nor partners, where all are kept.
    [[nodiscard]] T cosine(std::uint32_t one, std::uint32_t other) const noexcept
    {
        return cosines_[std::min(one, other) * columns_ + std::max(one, other)];
    }
    [[nodiscard]] T partner_cosine(std::size_t pair) const noexcept
    {
        return partner_cosines_[pair];
    }

private:
    /// Of a member. Each makes the units of all sentences: that is cheaper than to wait for those that
    /// others make, and to fetch them from another processor's cache.
    struct Own {
        learn::AlignedVector<T> units;  ///< and, behind them, what a whole strip reads
        learn::AlignedVector<T> panels; ///< transposed (kernels.hpp)
        learn::AlignedVector<T> inverse_lengths;
        learn::AlignedVector<T> strip; ///< cosines that are not kept
        /// What it found, of each sentence.
        learn::AlignedVector<T> largest;
        learn::AlignedVector<std::int32_t> nearest;
    };

    void make_units(Own& own, std::size_t sentences) const;
    void compare_strip(Own& own, std::size_t pairs, std::size_t first);

    const Kernels<T>& kernels_ = kernels<T>();
    std::size_t width_;
    std::size_t stride_;
    bool keeps_all_;
    std::size_t columns_ = 0; ///< from one row of cosines to the next
    std::vector<Columns> parts_;
    std::vector<learn::AlignedVector<T>> vectors_; ///< of each part
    learn::AlignedVector<T> cosines_;              ///< of each sentence with those behind it
    std::vector<T> partner_cosines_;
    std::vector<Own> own_;      ///< of each member
    std::size_t comparing_ = 0; ///< of them, those that took part
};

extern template class Comparison<float>;
extern template class Comparison<double>;

} // namespace senteval::train
