// rows.hpp -- sums and products of rows of whole cache lines: by the kernels in single precision, by plain loops in
// double precision, in which gradients are checked against finite differences.
#pragma once

#include "core/aligned.hpp"
#include "numeric/kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace senteval::annex {

/// out = sum over i of factors[i] * rows[i], of `width` values each.
inline void combine(std::span<const float* const> rows,
                    std::span<const float> factors,
                    std::size_t width,
                    float* out)
{
    numeric::kernels().combine({rows.data(), rows.size(), width}, {factors.data()}, 1, out, width);
}

inline void combine(std::span<const double* const> rows,
                    std::span<const double> factors,
                    std::size_t width,
                    double* out)
{
    std::fill_n(out, width, 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t f = 0; f < width; ++f)
            out[f] += factors[i] * rows[i][f];
}

/// out[k * out_stride + i] = the product of row i with the k-th of `count` others, which lie `width` apart. Pointers
/// to rows and out_stride go up to core::padded(rows.size()).
inline void multiply_rows(std::span<const float* const> rows,
                          std::size_t width,
                          const float* others,
                          std::size_t count,
                          float* out,
                          std::size_t out_stride)
{
    numeric::kernels().dot({rows.data(), rows.size(), width}, others, width, count, out,
                           out_stride);
}

inline void multiply_rows(std::span<const double* const> rows,
                          std::size_t width,
                          const double* others,
                          std::size_t count,
                          double* out,
                          std::size_t out_stride)
{
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < rows.size(); ++i) {
            double sum = 0;
            for (std::size_t f = 0; f < width; ++f)
                sum += rows[i][f] * others[k * width + f];
            out[k * out_stride + i] = sum;
        }
}

/// The square of a row's length, in as many sums as a line has floats.
template <typename T>
T square_of(const T* row, std::size_t width)
{
    T sums[core::line_floats]{};
    for (std::size_t i = 0; i < width; i += core::line_floats)
        for (std::size_t j = 0; j < core::line_floats; ++j)
            sums[j] += row[i + j] * row[i + j];
    for (std::size_t half = core::line_floats / 2; half > 0; half /= 2)
        for (std::size_t j = 0; j < half; ++j)
            sums[j] += sums[j + half];
    return sums[0];
}

inline void prefetch_row(const void* row, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; i += core::line_floats * sizeof(float))
        __builtin_prefetch(static_cast<const char*>(row) + i);
}

} // namespace senteval::annex
