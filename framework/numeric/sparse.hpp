// sparse.hpp -- the products of rows that are given by their nonzero values.
//
// They are those of the dense rows, bit for bit: the same additions in the same order, without those of
// a product with 0, which change nothing.
#pragma once

#include "numeric/vector.hpp"

namespace senteval::numeric {
namespace {

SENTEVAL_INLINE float fused_one(float a, float b, float c)
{
#if defined(__FMA__)
    return __builtin_fmaf(a, b, c);
#else
    return fused(broadcast(a), broadcast(b), broadcast(c))[0];
#endif
}

/// The sum of a line's virtual lanes, by halves.
SENTEVAL_INLINE float line_sum(const float* sums)
{
    float halves[line / 2];
    for (std::size_t j = 0; j < line / 2; ++j)
        halves[j] = sums[j] + sums[j + line / 2];
    for (std::size_t half = line / 4; half > 0; half /= 2)
        for (std::size_t j = 0; j < half; ++j)
            halves[j] += halves[j + half];
    return halves[0];
}

/// The inner product with the values first ... last - 1 of a row, which lie in one part.
SENTEVAL_INLINE float
sparse_part(const SparseRow& row, std::size_t first, std::size_t last, const float* weights)
{
    if (last - first == 1) // most of them
        return fused_one(weights[row.places[first]], row.values[first], 0.0F);
    float sums[line]{};
    for (std::size_t n = first; n < last; ++n) {
        const std::size_t place = row.places[n];
        sums[place % line] = fused_one(weights[place], row.values[n], sums[place % line]);
    }
    return line_sum(sums);
}

void dot_sparse(const RowPointers& batch,
                const float* weights,
                std::size_t stride,
                std::size_t outputs,
                float* out,
                std::size_t out_stride)
{
    const std::size_t part = part_length(batch.length);
    for (std::size_t i = 0; i < batch.count; ++i) {
        const SparseRow& row = batch.sparse[i];
        for (std::size_t k = 0; k < outputs; ++k)
            out[k * out_stride + i] = 0;
        for (std::size_t first = 0; first < row.count;) {
            const std::size_t end = (row.places[first] / part + 1) * part;
            std::size_t last = first + 1;
            while (last < row.count && row.places[last] < end)
                ++last;
            for (std::size_t k = 0; k < outputs; ++k)
                out[k * out_stride + i] += sparse_part(row, first, last, weights + k * stride);
            first = last;
        }
    }
}

template <bool Add>
void combine_sparse(const RowPointers& batch,
                    const Coefficients& coefficients,
                    std::size_t outputs,
                    float* out,
                    std::size_t out_stride)
{
    for (std::size_t k = 0; k < outputs; ++k) {
        float* const sums = out + k * out_stride;
        for (std::size_t f = 0; !Add && f < batch.length; f += lanes)
            store(sums + f, Vec{});
        const float* c = coefficients.data + k * coefficients.by_output;
        for (std::size_t i = 0; i < batch.count; ++i, c += coefficients.by_row) {
            const SparseRow& row = batch.sparse[i];
            for (std::size_t n = 0; n < row.count; ++n)
                sums[row.places[n]] = fused_one(*c, row.values[n], sums[row.places[n]]);
        }
    }
}

} // namespace
} // namespace senteval::numeric
