// kernels.hpp -- the inner loops over rows of a minibatch, compiled for several instruction sets and, in double
// precision, for what is checked against finite differences.
//
// Results have the same bits on every processor, as those of learn/kernels.hpp have. Rows may have any width;
// they are read fastest where they begin at a cache line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace senteval::train {

/// Sentences of a panel: a block of columns of the transposed sentence vectors, value by value. Value i of
/// sentence s is at panels[(s / panel_columns * width + i) * panel_columns + s % panel_columns].
inline constexpr std::size_t panel_columns = 32;

/// Rows of a table by their numbers: row numbers[i] begins at table[numbers[i] * stride].
template <typename T>
struct Rows {
    const T* table = nullptr;
    std::size_t stride = 0;
    const std::uint32_t* numbers = nullptr;
    std::size_t count = 0;
    std::size_t width = 0;
};

/// Cosines of some sentences with others, a row for each of the former.
template <typename T>
struct CosineRows {
    T* values = nullptr;
    std::size_t stride = 0;
    std::size_t first = 0; ///< number of the first row's sentence
    std::size_t rows = 0;  ///< at most Kernels::strip
    std::size_t begin = 0; ///< columns; multiples of panel_columns
    std::size_t end = 0;
};

template <typename T>
struct Kernels {
    const char* name;
    std::size_t strip; ///< rows that `cosines` computes together

    /// out = scale * the sum of factors[i] * row i, in order; factors may be null: all are 1.
    void (*combine)(const Rows<T>& rows, const T* factors, T scale, T* out);

    /// The sum of the squares of `width` values.
    T (*square)(const T* row, std::size_t width);

    /// out = factor * row.
    void (*scale)(const T* row, std::size_t width, T factor, T* out);

    /// Puts `count` rows, sentences first, first + 1, ..., into the panels.
    void (*pack)(const T* rows,
                 std::size_t stride,
                 std::size_t count,
                 std::size_t width,
                 std::size_t first,
                 T* panels);

    /// Inner products of rows with the sentences of panels. Reads `strip` rows, whatever their number.
    void (*cosines)(const T* rows,
                    std::size_t stride,
                    std::size_t width,
                    const T* panels,
                    const CosineRows<T>& out);

    /// For each row the column with the largest value, and for each column the row, where it is larger than
    /// largest[row or column] or as large with a smaller number: replaces that, and nearest[...]. A NaN is never
    /// larger.
    void (*nearest)(const CosineRows<T>& cosines, T* largest, std::int32_t* nearest);
};

/// All that this processor can run, the fastest first.
std::span<const Kernels<float>* const> available_kernels();

/// The fastest for this processor; the same for the life of the process.
template <typename T>
const Kernels<T>& kernels();

template <>
const Kernels<float>& kernels<float>();
template <>
const Kernels<double>& kernels<double>();

extern const Kernels<float> kernels_portable;
extern const Kernels<double> kernels_double;
#if defined(__x86_64__)
extern const Kernels<float> kernels_avx2;
extern const Kernels<float> kernels_avx512;
#endif

} // namespace senteval::train
