#include "annex/comparison.hpp"

#include "annex/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace senteval::annex {

namespace {

/// Takes the values that are larger than the largest so far, and their number for the place.
template <typename T>
void take_larger(const T* __restrict values,
                 std::size_t count,
                 std::int32_t number,
                 T* __restrict largest,
                 std::int32_t* __restrict places)
{
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_larger = values[i] > largest[i];
        largest[i] = is_larger ? values[i] : largest[i];
        places[i] = is_larger ? number : places[i];
    }
}

template <typename T>
T largest_of(const T* values, std::size_t count)
{
    constexpr std::size_t lanes = 16;
    T most[lanes];
    std::fill_n(most, lanes, -std::numeric_limits<T>::infinity());
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            most[lane] = values[i + lane] > most[lane] ? values[i + lane] : most[lane];
    for (; i < count; ++i)
        most[0] = values[i] > most[0] ? values[i] : most[0];
    return *std::max_element(most, most + lanes);
}

} // namespace

template <typename T>
Comparison<T>::Comparison(std::size_t width, unsigned members)
    : stride_(core::padded(width)), found_(members)
{
}

template <typename T>
void Comparison<T>::reserve(std::size_t pairs)
{
    if (2 * pairs <= room_)
        return;
    room_ = 2 * pairs;
    const std::size_t rows = core::padded(room_) + core::line_floats;
    vectors_.resize(rows * stride_);
    rows_.resize(rows);
    for (std::size_t i = 0; i < rows; ++i)
        rows_[i] = vector(i);
    inverse_lengths_.resize(room_);
    partner_cosines_.resize(pairs);
    for (Found& found : found_) {
        found.cosines.resize(strip * core::padded(room_));
        found.largest.resize(room_);
        found.nearest.resize(room_);
    }
}

template <typename T>
void Comparison<T>::normalise(std::size_t first, std::size_t last)
{
    for (std::size_t sentence = first; sentence < last; ++sentence) {
        T* const row = vector(sentence);
        const T square = square_of(row, stride_);
        const T inverse = square > 0 ? 1 / std::sqrt(square) : T{0};
        inverse_lengths_[sentence] = inverse;
        for (std::size_t i = 0; i < stride_; ++i)
            row[i] *= inverse;
    }
}

template <typename T>
void Comparison<T>::compare(unsigned member, unsigned members, std::size_t pairs)
{
    if (member == 0)
        comparing_ = members;
    Found& found = found_[member];
    std::ranges::fill(found.largest, -std::numeric_limits<T>::infinity());
    std::ranges::fill(found.nearest, 0);
    // The first strips are the longest ones: they are dealt to and fro.
    for (std::size_t number = 0; number * strip < 2 * pairs; ++number) {
        const std::size_t turn = number % (2 * std::size_t{members});
        if (std::min(turn, 2 * std::size_t{members} - 1 - turn) == member)
            compare_strip(found, pairs, number * strip);
    }
}

template <typename T>
void Comparison<T>::compare_strip(Found& found, std::size_t pairs, std::size_t first)
{
    const std::size_t sentences = 2 * pairs;
    const std::size_t rows = std::min(strip, sentences - first);
    const std::size_t stride = core::padded(sentences);
    multiply_rows(std::span(rows_).subspan(first, sentences - first), stride_, vector(first), rows,
                  found.cosines.data(), stride);
    for (std::size_t sentence = first; sentence < first + rows; ++sentence) {
        T* const cosines = found.cosines.data() + (sentence - first) * stride; // from `first` on
        if (sentence < pairs) {
            partner_cosines_[sentence] = cosines[sentence + pairs - first];
            cosines[sentence + pairs - first] = -std::numeric_limits<T>::infinity();
        }
        const T* const later = cosines + (sentence + 1 - first);
        const std::size_t count = sentences - sentence - 1;
        take_larger(later, count, static_cast<std::int32_t>(sentence),
                    found.largest.data() + sentence + 1, found.nearest.data() + sentence + 1);
        if (const T largest = largest_of(later, count); largest > found.largest[sentence]) {
            found.largest[sentence] = largest;
            found.nearest[sentence] = static_cast<std::int32_t>(
                std::find(later, later + count, largest) - later + sentence + 1);
        }
    }
}

template <typename T>
OtherSentence<T> Comparison<T>::nearest(std::uint32_t sentence) const noexcept
{
    T largest = found_.front().largest[sentence];
    std::int32_t nearest = found_.front().nearest[sentence];
    for (std::size_t member = 1; member < comparing_; ++member) {
        const T other = found_[member].largest[sentence];
        const std::int32_t place = found_[member].nearest[sentence];
        if (other > largest || (other == largest && place < nearest)) {
            largest = other;
            nearest = place;
        }
    }
    return {static_cast<std::uint32_t>(nearest), largest};
}

template <typename T>
T Comparison<T>::cosine(std::uint32_t one, std::uint32_t other) const noexcept
{
    T products[core::line_floats];
    multiply_rows(std::span(rows_).subspan(one, 1), stride_, vector(other), 1, products,
                  core::line_floats);
    return products[0];
}

template class Comparison<float>;
template class Comparison<double>;

} // namespace senteval::annex
