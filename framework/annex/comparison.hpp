// comparison.hpp -- cosines between all sentences of a minibatch, and nearest neighbours.
#pragma once

#include "learn/aligned.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace senteval::annex {

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
    /// Vectors have `width` values.
    Comparison(std::size_t width, unsigned members);

    /// Makes room for so many pairs. Call from one thread.
    void reserve(std::size_t pairs);

    /// The row of a sentence, to be filled: stride() values, zeros behind the width.
    [[nodiscard]] T* vector(std::size_t sentence) noexcept
    {
        return vectors_.data() + sentence * stride_;
    }
    [[nodiscard]] const T* vector(std::size_t sentence) const noexcept
    {
        return vectors_.data() + sentence * stride_;
    }
    [[nodiscard]] std::size_t stride() const noexcept { return stride_; }

    /// Divides the vectors of sentences [first, last) by their lengths.
    void normalise(std::size_t first, std::size_t last);
    [[nodiscard]] T inverse_length(std::size_t sentence) const noexcept ///< 0 of a vector of zeros
    {
        return inverse_lengths_[sentence];
    }

    /// Compares a member's share of the sentences. Every member calls it, after all vectors are normalised.
    void compare(unsigned member, unsigned members, std::size_t pairs);

    // The results, for any thread after all have compared. --------------------------------------------

    /// The sentence nearest to one, itself and its partner left out; the first of equal ones.
    [[nodiscard]] OtherSentence<T> nearest(std::uint32_t sentence) const noexcept;
    [[nodiscard]] T cosine(std::uint32_t one, std::uint32_t other) const noexcept;
    [[nodiscard]] T partner_cosine(std::size_t pair) const noexcept
    {
        return partner_cosines_[pair];
    }

private:
    static constexpr std::size_t strip = 16; ///< sentences that are compared together

    /// A member's findings for each sentence.
    struct Found {
        learn::AlignedVector<T> cosines; ///< of a strip with the sentences from its first on
        std::vector<T> largest;
        std::vector<std::int32_t> nearest;
    };

    void compare_strip(Found& found, std::size_t pairs, std::size_t first);

    std::size_t stride_;
    std::size_t room_ = 0; ///< sentences
    std::size_t comparing_ = 0;
    learn::AlignedVector<T> vectors_;
    std::vector<const T*> rows_; ///< the same
    std::vector<T> inverse_lengths_;
    std::vector<T> partner_cosines_;
    std::vector<Found> found_; ///< by member
};

extern template class Comparison<float>;
extern template class Comparison<double>;

} // namespace senteval::annex
