// kernels_rows.hpp -- kernels over rows: sums of them, and vectors of length 1; for vectors of
// SENTEVAL_LANES floats, and for single values (V is then float or double).
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

// ---- sums of rows ---------------------------------------------------------------------------------

/// Vectors of a row that are summed together.
constexpr std::size_t most_vectors = 8;

/// Numbers between a row that is summed and the one that the processor is told of.
constexpr std::size_t fetch_ahead = 8;

template <typename T>
SENTEVAL_INLINE void fetch_row(const RowSums<T>& sums, std::size_t i)
{
    if (i >= sums.fetched)
        return;
    const T* const row = sums.table + sums.numbers[i] * sums.stride;
    for (std::size_t at = 0; at < sums.width; at += learn::line * sizeof(float) / sizeof(T))
        __builtin_prefetch(row + at);
}

/// `Width` vectors at the offsets `at` of a row.
template <typename V, bool HasFactors, std::size_t Width>
void sum_block(const RowSums<ValueOf<V>>& sums, const std::size_t* at)
{
    for (std::size_t s = sums.first; s < sums.last; ++s) {
        V block[Width]{};
        for (std::size_t i = sums.begin[s]; i < sums.begin[s + 1]; ++i) {
            fetch_row(sums, i + fetch_ahead);
            const ValueOf<V>* const row = sums.table + sums.numbers[i] * sums.stride;
#pragma GCC unroll 8
            for (std::size_t v = 0; v < Width; ++v)
                if constexpr (HasFactors)
                    block[v] = multiplied(broadcast_as<V>(sums.factors[i]), load_as<V>(row + at[v]),
                                          block[v]);
                else
                    block[v] += load_as<V>(row + at[v]);
        }
        ValueOf<V>* const out = sums.out + (s - sums.first) * sums.out_stride;
        const V scale = broadcast_as<V>(sums.scales == nullptr ? ValueOf<V>{1} : sums.scales[s]);
#pragma GCC unroll 8
        for (std::size_t v = 0; v < Width; ++v)
            store_as<V>(out + at[v], block[v] * scale);
    }
}

template <typename V, bool HasFactors, std::size_t Width = most_vectors>
void sum_width(std::size_t width, const RowSums<ValueOf<V>>& sums, const std::size_t* at)
{
    if (width == Width)
        sum_block<V, HasFactors, Width>(sums, at);
    else if constexpr (Width > 1)
        sum_width<V, HasFactors, Width - 1>(width, sums, at);
}

/// Columns at least as many as a vector has. The last vector may overlap the one before: it has the same sums.
template <typename V, bool HasFactors>
void sum_by(const RowSums<ValueOf<V>>& sums)
{
    constexpr std::size_t lanes = Lanes<V>::count;
    for (std::size_t begin = 0; begin < sums.width; begin += most_vectors * lanes) {
        std::size_t at[most_vectors] = {};
        std::size_t width = 0;
        for (; width < most_vectors && begin + width * lanes < sums.width; ++width) {
            const std::size_t place = begin + width * lanes;
            at[width] = place + lanes <= sums.width ? place : sums.width - lanes;
        }
        sum_width<V, HasFactors>(width, sums, at);
    }
}

template <typename V>
void sum_rows(const RowSums<ValueOf<V>>& sums)
{
    using One = ValueOf<V>;
    if (is_vector<V> && sums.width < Lanes<V>::count)
        return sums.factors == nullptr ? sum_by<One, false>(sums) : sum_by<One, true>(sums);
    return sums.factors == nullptr ? sum_by<V, false>(sums) : sum_by<V, true>(sums);
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

// ---- vectors of length 1 --------------------------------------------------------------------------

SENTEVAL_INLINE Vec root_of(Vec x)
{
    return learn::root(x);
}
SENTEVAL_INLINE float root_of(float x)
{
    return __builtin_sqrtf(x);
}
SENTEVAL_INLINE double root_of(double x)
{
    return __builtin_sqrt(x);
}

/// Exchanges, of two rows of a square, the half of each block of 2 * Half that is across its diagonal.
template <std::size_t Half, std::size_t... J>
SENTEVAL_INLINE void exchange(Vec& a, Vec& b, std::index_sequence<J...> /*lanes*/)
{
    const Vec upper =
        __builtin_shufflevector(a, b, ((J & Half) != 0 ? J - Half + learn::lanes : J)...);
    b = __builtin_shufflevector(a, b, ((J & Half) != 0 ? J + learn::lanes : J + Half)...);
    a = upper;
}

template <std::size_t Half = learn::lanes / 2>
SENTEVAL_INLINE void transpose(Vec* square)
{
    if constexpr (Half > 0) {
#pragma GCC unroll 16
        for (std::size_t i = 0; i < learn::lanes; ++i)
            if ((i & Half) == 0)
                exchange<Half>(square[i], square[i + Half],
                               std::make_index_sequence<learn::lanes>());
        transpose<Half / 2>(square);
    }
}
SENTEVAL_INLINE void transpose(float* /*square*/) {}
SENTEVAL_INLINE void transpose(double* /*square*/) {}

/// Transposes a line of as many rows as V has lanes, and adds the squares: in as many sums as a line
/// has values, whatever the lanes.
template <typename V>
SENTEVAL_INLINE void transpose_line(
    const ValueOf<V>* rows, std::size_t stride, std::size_t width, ValueOf<V>* panel, V* sums)
{
    constexpr std::size_t lanes = Lanes<V>::count;
#pragma GCC unroll 16
    for (std::size_t part = 0; part < learn::line; part += lanes) {
        V square[lanes];
#pragma GCC unroll 16
        for (std::size_t row = 0; row < lanes; ++row)
            square[row] = load_as<V>(rows + row * stride + part);
        transpose(square);
#pragma GCC unroll 16
        for (std::size_t i = 0; i < lanes; ++i) {
            sums[part + i] = multiplied(square[i], square[i], sums[part + i]);
            if (part + i < width)
                store_as<V>(panel + (part + i) * panel_columns, square[i]);
        }
    }
}

/// Of as many rows as V has lanes.
template <typename V>
SENTEVAL_INLINE V
transpose_rows(const ValueOf<V>* rows, std::size_t stride, std::size_t width, ValueOf<V>* panel)
{
    V sums[learn::line]{};
    for (std::size_t i = 0; i < width; i += learn::line)
        transpose_line<V>(rows + i, stride, width - i, panel + i * panel_columns, sums);
#pragma GCC unroll 4
    for (std::size_t half = learn::line / 2; half > 0; half /= 2)
#pragma GCC unroll 16
        for (std::size_t i = 0; i < half; ++i)
            sums[i] += sums[i + half];
    return sums[0];
}

template <typename V>
void make_units(const UnitVectors<ValueOf<V>>& units, std::size_t count, std::size_t width)
{
    constexpr std::size_t lanes = Lanes<V>::count;
    for (std::size_t first = 0; first < count; first += lanes) {
        ValueOf<V>* const rows = units.rows + first * units.stride;
        ValueOf<V>* const panel =
            units.panels + first / panel_columns * width * panel_columns + first % panel_columns;
        const V square = transpose_rows<V>(rows, units.stride, width, panel);
        const V inverse = square > V{} ? ValueOf<V>{1} / root_of(square) : V{};
        store_as<V>(units.inverse_lengths + first, inverse);
        for (std::size_t i = 0; i < width; ++i)
            store_as<V>(panel + i * panel_columns, load_as<V>(panel + i * panel_columns) * inverse);
        for (std::size_t row = 0; row < lanes; ++row) {
            const V factor = broadcast_as<V>(units.inverse_lengths[first + row]);
            for (ValueOf<V>* at = rows + row * units.stride; at < rows + row * units.stride + width;
                 at += lanes)
                store_as<V>(at, load_as<V>(at) * factor);
        }
    }
}

} // namespace
} // namespace senteval::train
