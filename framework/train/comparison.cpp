#include "train/comparison.hpp"

#include <limits>

namespace senteval::train {

template <typename T>
Comparison<T>::Comparison(std::size_t width, unsigned members)
    : width_(width), stride_(core::padded(width)), found_(members)
{
}

template <typename T>
void Comparison<T>::reserve(std::size_t pairs)
{
    const std::size_t sentences = 2 * pairs;
    const std::size_t columns = (sentences + panel_columns - 1) / panel_columns * panel_columns;
    if (columns <= columns_)
        return;
    columns_ = columns;
    units_.resize((sentences + kernels_.strip) * stride_);
    panels_.resize(columns * width_);
    cosines_.resize(sentences * columns);
    partner_cosines_.resize(pairs);
    for (Found& found : found_) {
        found.largest.resize(columns);
        found.nearest.resize(columns);
    }
}

template <typename T>
void Comparison<T>::add(std::size_t first, std::size_t count)
{
    kernels_.pack(unit(first), stride_, count, width_, first, panels_.data());
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
    for (std::size_t strip = 0; strip * kernels_.strip < 2 * pairs; ++strip) {
        const std::size_t turn = strip % (2 * std::size_t{members});
        if (std::min(turn, 2 * std::size_t{members} - 1 - turn) == member)
            compare_strip(found, pairs, strip * kernels_.strip);
    }
}

template <typename T>
void Comparison<T>::compare_strip(Found& found, std::size_t pairs, std::size_t first)
{
    const std::size_t sentences = 2 * pairs;
    CosineRows<T> rows;
    rows.values = cosines_.data() + first * columns_;
    rows.stride = columns_;
    rows.first = first;
    rows.rows = std::min(kernels_.strip, sentences - first);
    rows.begin = first / panel_columns * panel_columns;
    rows.end = (sentences + panel_columns - 1) / panel_columns * panel_columns;
    kernels_.cosines(unit(first), stride_, width_, panels_.data(), rows);
    constexpr T lowest = -std::numeric_limits<T>::infinity();
    for (std::size_t row = 0; row < rows.rows; ++row) {
        T* const cosines = rows.values + row * rows.stride;
        const std::size_t sentence = first + row;
        if (sentence < pairs)
            partner_cosines_[sentence] = cosines[sentence + pairs];
        cosines[sentence] = lowest;
        if (const std::size_t partner = (sentence + pairs) % sentences; partner >= rows.begin)
            cosines[partner] = lowest;
        std::fill(cosines + sentences, cosines + rows.end, lowest);
    }
    kernels_.nearest(rows, found.largest.data(), found.nearest.data());
}

template <typename T>
std::uint32_t Comparison<T>::nearest(std::uint32_t sentence) const noexcept
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
    return static_cast<std::uint32_t>(nearest);
}

template class Comparison<float>;
template class Comparison<double>;

} // namespace senteval::train
