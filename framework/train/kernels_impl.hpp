// kernels_impl.hpp -- the one source of all kernels; those that compare sentences here, the others in
// kernels_rows.hpp.
#pragma once

#include "train/kernels_rows.hpp"

namespace senteval::train {
namespace {

// ---- cosines --------------------------------------------------------------------------------------

/// Rows of a tile, as many as leave registers for their sums.
template <typename V>
constexpr std::size_t tile_rows = Lanes<V>::count == 16  ? 12
                                  : Lanes<V>::count == 8 ? 2
                                                         : 1;

/// Those with some neighbouring columns. A sum runs over the values in order, so that a product is the
/// same with the sentences exchanged.
template <typename V, std::size_t Columns>
void cosines_with(const ValueOf<V>* rows,
                  std::size_t stride,
                  std::size_t width,
                  const ValueOf<V>* panel,
                  const CosineRows<ValueOf<V>>& out,
                  std::size_t column)
{
    constexpr std::size_t lanes = Lanes<V>::count;
    constexpr std::size_t vectors = Columns / lanes;
    V sums[tile_rows<V>][vectors]{};
    for (std::size_t i = 0; i < width; ++i, panel += panel_columns) {
#pragma GCC unroll 16
        for (std::size_t row = 0; row < tile_rows<V>; ++row) {
            const V factor = broadcast_as<V>(rows[row * stride + i]);
#pragma GCC unroll 8
            for (std::size_t v = 0; v < vectors; ++v)
                sums[row][v] = multiplied(factor, load_as<V>(panel + v * lanes), sums[row][v]);
        }
    }
#pragma GCC unroll 16
    for (std::size_t row = 0; row < tile_rows<V>; ++row)
        if (row < out.rows)
#pragma GCC unroll 8
            for (std::size_t v = 0; v < vectors; ++v)
                store_as<V>(out.values + row * out.stride + column + v * lanes, sums[row][v]);
}

template <typename V>
void cosines(const ValueOf<V>* rows,
             std::size_t stride,
             std::size_t width,
             const ValueOf<V>* panels,
             const CosineRows<ValueOf<V>>& out)
{
    for (std::size_t column = out.begin; column < out.end;) {
        const std::size_t within = column % panel_columns;
        const ValueOf<V>* const panel = panels + (column - within) * width + within;
        if (within == 0 && column + panel_columns <= out.end) {
            cosines_with<V, panel_columns>(rows, stride, width, panel, out, column);
            column += panel_columns;
        } else {
            cosines_with<V, half_panel>(rows, stride, width, panel, out, column);
            column += half_panel;
        }
    }
}

// ---- nearest --------------------------------------------------------------------------------------

template <typename V>
SENTEVAL_INLINE typename Lanes<V>::Number same_number(std::size_t number)
{
    return typename Lanes<V>::Number{} + static_cast<std::int32_t>(number);
}

template <typename V>
SENTEVAL_INLINE typename Lanes<V>::Number numbers_from(std::size_t first)
{
    if constexpr (is_vector<V>)
        return learn::lane_numbers() + static_cast<std::int32_t>(first);
    else
        return static_cast<std::int32_t>(first);
}

template <typename V>
SENTEVAL_INLINE typename Lanes<V>::Number load_numbers(const std::int32_t* p)
{
    if constexpr (is_vector<V>)
        return *reinterpret_cast<const learn::MemoryIntVec*>(p);
    else
        return *p;
}

template <typename V>
SENTEVAL_INLINE void store_numbers(std::int32_t* p, typename Lanes<V>::Number numbers)
{
    if constexpr (is_vector<V>)
        *reinterpret_cast<learn::MemoryIntVec*>(p) = numbers;
    else
        *p = numbers;
}

/// Takes `value` for `most` where it is larger; rows and columns come in ascending order, so the first of equal
/// ones stays.
template <typename V>
SENTEVAL_INLINE void
take_larger(V value, typename Lanes<V>::Number number, V& most, typename Lanes<V>::Number& place)
{
    const auto is_larger = value > most;
    most = is_larger ? value : most;
    place = is_larger ? number : place;
}

template <typename V>
void nearest_column(const CosineRows<ValueOf<V>>& cosines,
                    std::size_t row,
                    ValueOf<V>* largest,
                    std::int32_t* nearest)
{
    constexpr std::size_t lanes = Lanes<V>::count;
    const ValueOf<V>* const values = cosines.values + row * cosines.stride;
    V most = broadcast_as<V>(-static_cast<ValueOf<V>>(__builtin_inff()));
    auto place = same_number<V>(0);
    for (std::size_t column = cosines.begin; column < cosines.end; column += lanes)
        take_larger<V>(load_as<V>(values + column), numbers_from<V>(column), most, place);
    ValueOf<V> lane_most[lanes];
    std::int32_t lane_place[lanes];
    store_as<V>(lane_most, most);
    store_numbers<V>(lane_place, place);
    ValueOf<V>& all_most = largest[cosines.first + row];
    std::int32_t& all_place = nearest[cosines.first + row];
    for (std::size_t lane = 0; lane < lanes; ++lane)
        if (lane_most[lane] > all_most ||
            (lane_most[lane] == all_most && lane_place[lane] < all_place)) {
            all_most = lane_most[lane];
            all_place = lane_place[lane];
        }
}

template <typename V>
void nearest(const CosineRows<ValueOf<V>>& cosines, ValueOf<V>* largest, std::int32_t* nearest)
{
    constexpr std::size_t lanes = Lanes<V>::count;
    for (std::size_t column = cosines.begin; column < cosines.end; column += lanes) {
        V most = load_as<V>(largest + column);
        auto place = load_numbers<V>(nearest + column);
        for (std::size_t row = 0; row < cosines.rows; ++row)
            take_larger<V>(load_as<V>(cosines.values + row * cosines.stride + column),
                           same_number<V>(cosines.first + row), most, place);
        store_as<V>(largest + column, most);
        store_numbers<V>(nearest + column, place);
    }
    for (std::size_t row = 0; row < cosines.rows; ++row)
        nearest_column<V>(cosines, row, largest, nearest);
}

} // namespace
} // namespace senteval::train

/// Defines the table of kernels for V.
#define SENTEVAL_DEFINE_TRAIN_KERNELS(table, label, V)                                             \
    const Kernels<ValueOf<V>> table                                                                \
    {                                                                                              \
        label, tile_rows<V>, sum_rows<V>, scale<V>, make_units<V>, cosines<V>, nearest<V>          \
    }
