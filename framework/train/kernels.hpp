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
inline constexpr std::size_t half_panel = panel_columns / 2;

/// Some sums of rows of a table, in some columns of it: sum s is scales[s] times that of factors[i] *
/// row numbers[i], for i from begin[s] to begin[s + 1], in order.
template <typename T>
struct RowSums {
    const T* table = nullptr; ///< first column of row 0
    std::size_t stride = 0;
    std::size_t width = 0; ///< columns
    const std::uint32_t* numbers = nullptr;
    const std::uint32_t* begin = nullptr;
    const T* factors = nullptr; ///< null: all are 1
    const T* scales = nullptr;  ///< null: all are 1
    std::size_t first = 0;      ///< sum
    std::size_t last = 0;
    T* out = nullptr; ///< first column of sum `first`
    std::size_t out_stride = 0;
    /// Rows are random ones of a large table: the processor is told of them ahead, up to this place in
    /// `numbers`. 0: they are not.
    std::size_t fetched = 0;
};

/// Vectors of sentences that become ones of length 1.
template <typename T>
struct UnitVectors {
    T* rows = nullptr;
    std::size_t stride = 0;
    T* panels = nullptr;
    T* inverse_lengths = nullptr; ///< 0 of a vector of zeros
};

/// Cosines of some sentences with others, a row for each of the former.
template <typename T>
struct CosineRows {
    T* values = nullptr;
    std::size_t stride = 0;
    std::size_t first = 0; ///< number of the first row's sentence
    std::size_t rows = 0;  ///< at most Kernels::strip
    std::size_t begin = 0; ///< columns; multiples of half_panel
    std::size_t end = 0;
};

template <typename T>
struct Kernels {
    const char* name;
    std::size_t strip; ///< rows that `cosines` computes together

    void (*sum_rows)(const RowSums<T>& sums);

    /// out = factor * row.
    void (*scale)(const T* row, std::size_t width, T factor, T* out);

    /// Divides `count` rows by their lengths, and transposes them into panels. Reads and writes rows up
    /// to the next multiple of half_panel, and whole lines of each, zeros behind `width`.
    void (*make_units)(const UnitVectors<T>& units, std::size_t count, std::size_t width);

    /// Inner products of rows with the sentences of panels. Reads `strip` rows, whatever their number.
    void (*cosines)(const T* rows,
                    std::size_t stride,
                    std::size_t width,
                    const T* panels,
                    const CosineRows<T>& out);

    /// For each row the column with the largest value, and for each column the row, where it is larger than
    /// largest[row or column] or as large with a smaller number: replaces that, and nearest[...]. A NaN
    /// is never larger.
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
