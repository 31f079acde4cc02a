#include "train/comparison.hpp"

#include <limits>

namespace senteval::train {

namespace {

constexpr std::size_t rounded_up(std::size_t count, std::size_t unit)
{
    return (count + unit - 1) / unit * unit;
}

} // namespace

template <typename T>
Comparison<T>::Comparison(std::size_t width,
                          std::vector<Columns> parts,
                          unsigned members,
                          bool keeps_all)
    : width_(width),
      stride_(core::padded(width)),
      keeps_all_(keeps_all),
      parts_(std::move(parts)),
      vectors_(parts_.size()),
      own_(members)
{
}

template <typename T>
void Comparison<T>::reserve(std::size_t pairs)
{
    const std::size_t sentences = 2 * pairs;
    const std::size_t columns = rounded_up(sentences, panel_columns);
    if (columns <= columns_)
        return;
    columns_ = columns;
    for (std::size_t part = 0; part < parts_.size(); ++part)
        vectors_[part].resize(columns * parts_[part].count());
    cosines_.resize(keeps_all_ ? sentences * columns : 0);
    partner_cosines_.resize(pairs);
    for (Own& own : own_) {
        own.units.resize((columns + kernels_.strip) * stride_);
        own.panels.resize(columns * width_);
        own.inverse_lengths.resize(columns);
        own.strip.resize(keeps_all_ ? 0 : kernels_.strip * columns);
        own.largest.resize(columns);
        own.nearest.resize(columns);
    }
}

template <typename T>
void Comparison<T>::compare(unsigned member, unsigned members, std::size_t pairs)
{
    if (member == 0)
        comparing_ = members;
    Own& own = own_[member];
    make_units(own, 2 * pairs);
    std::ranges::fill(own.largest, -std::numeric_limits<T>::infinity());
    std::ranges::fill(own.nearest, 0);
    // The first strips are the longest ones: they are dealt to and fro.
    for (std::size_t strip = 0; strip * kernels_.strip < 2 * pairs; ++strip) {
        const std::size_t turn = strip % (2 * std::size_t{members});
        if (std::min(turn, 2 * std::size_t{members} - 1 - turn) == member)
            compare_strip(own, pairs, strip * kernels_.strip);
    }
}

template <typename T>
void Comparison<T>::make_units(Own& own, std::size_t sentences) const
{
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        const std::size_t count = parts_[part].count();
        for (std::size_t sentence = 0; sentence < sentences; ++sentence)
            std::copy_n(vectors_[part].data() + sentence * count, count,
                        own.units.data() + sentence * stride_ + parts_[part].first);
    }
    kernels_.make_units({own.units.data(), stride_, own.panels.data(), own.inverse_lengths.data()},
                        sentences, width_);
}

template <typename T>
void Comparison<T>::compare_strip(Own& own, std::size_t pairs, std::size_t first)
{
    const std::size_t sentences = 2 * pairs;
    CosineRows<T> rows;
    rows.values = keeps_all_ ? cosines_.data() + first * columns_ : own.strip.data();
    rows.stride = columns_;
    rows.first = first;
    rows.rows = std::min(kernels_.strip, sentences - first);
    rows.begin = first / half_panel * half_panel;
    rows.end = rounded_up(sentences, half_panel);
    kernels_.cosines(own.units.data() + first * stride_, stride_, width_, own.panels.data(), rows);
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
    kernels_.nearest(rows, own.largest.data(), own.nearest.data());
}

template <typename T>
OtherSentence<T> Comparison<T>::nearest(std::uint32_t sentence) const noexcept
{
    T largest = own_.front().largest[sentence];
    std::int32_t nearest = own_.front().nearest[sentence];
    for (std::size_t member = 1; member < comparing_; ++member) {
        const T other = own_[member].largest[sentence];
        const std::int32_t place = own_[member].nearest[sentence];
        if (other > largest || (other == largest && place < nearest)) {
            largest = other;
            nearest = place;
        }
    }
    return {static_cast<std::uint32_t>(nearest), largest};
}

template class Comparison<float>;
template class Comparison<double>;

} // namespace senteval::train
