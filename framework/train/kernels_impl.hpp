// kernels_impl.hpp -- the one source of all kernels: for vectors of SENTEVAL_LANES floats, and for single values
// (V is then float or double).
#pragma once

#include "learn/kernels_vector.hpp"
#include "train/kernels.hpp"

namespace senteval::train {
namespace {

using learn::IntVec;
using learn::Vec;

template <typename V>
struct Lanes {
    using Value = V;
    using Number = std::int32_t;
    static constexpr std::size_t count = 1;
};

template <>
struct Lanes<Vec> {
    using Value = float;
    using Number = IntVec;
    static constexpr std::size_t count = learn::lanes;
};

template <typename V>
using ValueOf = typename Lanes<V>::Value;

template <typename V>
constexpr bool is_vector = Lanes<V>::count > 1;

template <typename V>
SENTEVAL_INLINE V load_as(const ValueOf<V>* p)
{
    if constexpr (is_vector<V>)
        return learn::load(p);
    else
        return *p;
}

template <typename V>
SENTEVAL_INLINE void store_as(ValueOf<V>* p, V value)
{
    if constexpr (is_vector<V>)
        learn::store(p, value);
    else
        *p = value;
}

template <typename V>
SENTEVAL_INLINE V broadcast_as(ValueOf<V> x)
{
    if constexpr (is_vector<V>)
        return learn::broadcast(x);
    else
        return x;
}

/// a * b + c; with one rounding in single precision.
SENTEVAL_INLINE Vec multiplied(Vec a, Vec b, Vec c)
{
    return learn::fused(a, b, c);
}
SENTEVAL_INLINE float multiplied(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
SENTEVAL_INLINE double multiplied(double a, double b, double c)
{
    return a * b + c;
}

// ---- combine --------------------------------------------------------------------------------------

/// Vectors of a row that are summed together.
constexpr std::size_t most_vectors = 8;

/// `Width` vectors at the offsets `at` of a row.
template <typename V, bool HasFactors, std::size_t Width>
void combine_block(const Rows<ValueOf<V>>& rows,
                   const ValueOf<V>* factors,
                   ValueOf<V> scale,
                   const std::size_t* at,
                   ValueOf<V>* out)
{
    V sums[Width]{};
    for (std::size_t i = 0; i < rows.count; ++i) {
        const ValueOf<V>* const row = rows.table + rows.numbers[i] * rows.stride;
#pragma GCC unroll 8
        for (std::size_t v = 0; v < Width; ++v)
            if constexpr (HasFactors)
                sums[v] = multiplied(broadcast_as<V>(factors[i]), load_as<V>(row + at[v]), sums[v]);
            else
                sums[v] += load_as<V>(row + at[v]);
    }
#pragma GCC unroll 8
    for (std::size_t v = 0; v < Width; ++v)
        store_as<V>(out + at[v], sums[v] * scale);
}

template <typename V, bool HasFactors, std::size_t Width = most_vectors>
void combine_width(std::size_t width,
                   const Rows<ValueOf<V>>& rows,
                   const ValueOf<V>* factors,
                   ValueOf<V> scale,
                   const std::size_t* at,
                   ValueOf<V>* out)
{
    if (width == Width)
        combine_block<V, HasFactors, Width>(rows, factors, scale, at, out);
    else if constexpr (Width > 1)
        combine_width<V, HasFactors, Width - 1>(width, rows, factors, scale, at, out);
}

/// A row at least as wide as a vector. The last vector may overlap the one before: it has the same sums.
template <typename V, bool HasFactors>
void combine_by(const Rows<ValueOf<V>>& rows,
                const ValueOf<V>* factors,
                ValueOf<V> scale,
                ValueOf<V>* out)
{
    constexpr std::size_t lanes = Lanes<V>::count;
    for (std::size_t begin = 0; begin < rows.width; begin += most_vectors * lanes) {
        std::size_t at[most_vectors] = {};
        std::size_t width = 0;
        for (; width < most_vectors && begin + width * lanes < rows.width; ++width) {
            const std::size_t place = begin + width * lanes;
            at[width] = place + lanes <= rows.width ? place : rows.width - lanes;
        }
        combine_width<V, HasFactors>(width, rows, factors, scale, at, out);
    }
}

template <typename V>
void combine(const Rows<ValueOf<V>>& rows,
             const ValueOf<V>* factors,
             ValueOf<V> scale,
             ValueOf<V>* out)
{
    using One = ValueOf<V>;
    if (is_vector<V> && rows.width < Lanes<V>::count)
        return factors == nullptr ? combine_by<One, false>(rows, factors, scale, out)
                                  : combine_by<One, true>(rows, factors, scale, out);
    return factors == nullptr ? combine_by<V, false>(rows, factors, scale, out)
                              : combine_by<V, true>(rows, factors, scale, out);
}

// ---- length ---------------------------------------------------------------------------------------

/// In as many sums as a line has values, whatever the lanes.
template <typename V>
ValueOf<V> square(const ValueOf<V>* row, std::size_t width)
{
    using T = ValueOf<V>;
    constexpr std::size_t lanes = Lanes<V>::count;
    V sums[learn::line / lanes]{};
    const auto add = [&sums](const T* at) {
#pragma GCC unroll 16
        for (std::size_t v = 0; v < learn::line / lanes; ++v) {
            const V x = load_as<V>(at + v * lanes);
            sums[v] = multiplied(x, x, sums[v]);
        }
    };
    std::size_t i = 0;
    for (; i + learn::line <= width; i += learn::line)
        add(row + i);
    if (i < width) {
        T rest[learn::line] = {};
        for (std::size_t j = 0; i + j < width; ++j)
            rest[j] = row[i + j];
        add(rest);
    }
    T all[learn::line];
#pragma GCC unroll 16
    for (std::size_t v = 0; v < learn::line / lanes; ++v)
        store_as<V>(all + v * lanes, sums[v]);
    for (std::size_t half = learn::line / 2; half > 0; half /= 2)
        for (std::size_t j = 0; j < half; ++j)
            all[j] += all[j + half];
    return all[0];
}

template <typename V>
void scale(const ValueOf<V>* row, std::size_t width, ValueOf<V> factor, ValueOf<V>* out)
{
    constexpr std::size_t lanes = Lanes<V>::count;
    std::size_t i = 0;
    for (; i + lanes <= width; i += lanes)
        store_as<V>(out + i, load_as<V>(row + i) * factor);
    for (; i < width; ++i)
        out[i] = row[i] * factor;
}

// ---- cosines --------------------------------------------------------------------------------------

template <typename T>
void pack(const T* rows,
          std::size_t stride,
          std::size_t count,
          std::size_t width,
          std::size_t first,
          T* panels)
{
    while (count > 0) {
        const std::size_t column = first % panel_columns;
        const std::size_t room = panel_columns - column;
        const std::size_t some = count < room ? count : room;
        T* const panel = panels + first / panel_columns * width * panel_columns + column;
        for (std::size_t i = 0; i < width; ++i)
            for (std::size_t j = 0; j < some; ++j)
                panel[i * panel_columns + j] = rows[j * stride + i];
        rows += some * stride;
        first += some;
        count -= some;
    }
}

/// Rows of a tile, as many as leave registers for their sums.
template <typename V>
constexpr std::size_t tile_rows = Lanes<V>::count == 16  ? 12
                                  : Lanes<V>::count == 8 ? 2
                                                         : 1;

/// A sum runs over the values in order, so that a product is the same with the sentences exchanged.
template <typename V>
void cosines(const ValueOf<V>* rows,
             std::size_t stride,
             std::size_t width,
             const ValueOf<V>* panels,
             const CosineRows<ValueOf<V>>& out)
{
    constexpr std::size_t lanes = Lanes<V>::count;
    constexpr std::size_t vectors = panel_columns / lanes;
    for (std::size_t column = out.begin; column < out.end; column += panel_columns) {
        V sums[tile_rows<V>][vectors]{};
        const ValueOf<V>* at = panels + column * width;
        for (std::size_t i = 0; i < width; ++i, at += panel_columns) {
#pragma GCC unroll 16
            for (std::size_t row = 0; row < tile_rows<V>; ++row) {
                const V factor = broadcast_as<V>(rows[row * stride + i]);
#pragma GCC unroll 8
                for (std::size_t v = 0; v < vectors; ++v)
                    sums[row][v] = multiplied(factor, load_as<V>(at + v * lanes), sums[row][v]);
            }
        }
#pragma GCC unroll 16
        for (std::size_t row = 0; row < tile_rows<V>; ++row)
            if (row < out.rows)
#pragma GCC unroll 8
                for (std::size_t v = 0; v < vectors; ++v)
                    store_as<V>(out.values + row * out.stride + column + v * lanes, sums[row][v]);
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
        label, tile_rows<V>, combine<V>, square<V>, scale<V>, pack<ValueOf<V>>, cosines<V>,        \
            nearest<V>                                                                             \
    }
