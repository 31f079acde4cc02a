// kernels_impl.hpp -- the product with vectors of SENTEVAL_LANES floats.
//
// Each instruction set includes this in a translation unit of its own, compiled with its flags. All is in an
// unnamed namespace and nothing of the standard library is called: no function compiled for a newer
// processor can be picked by the linker for the others.
#pragma once

#include "random/kernels.hpp"

#if defined(__FMA__)
#include <immintrin.h>
#endif

namespace senteval::random {
namespace {

constexpr std::size_t lanes = SENTEVAL_LANES;

using Vec = float __attribute__((vector_size(lanes * 4)));
using MemoryVec = float __attribute__((vector_size(lanes * 4), aligned(4), may_alias));

#if defined(__AVX512F__)
inline Vec fused(Vec a, Vec b, Vec c)
{
    return reinterpret_cast<Vec>(_mm512_fmadd_ps(
        reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
}
#elif defined(__FMA__)
inline Vec fused(Vec a, Vec b, Vec c)
{
    return reinterpret_cast<Vec>(_mm256_fmadd_ps(
        reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
}
#else
inline Vec fused(Vec a, Vec b, Vec c)
{
    return a * b + c;
}
#endif

// A tile is three vectors of rows times some columns, as many as there are registers for its sums.
constexpr std::size_t tile_vectors = 3;
constexpr std::size_t tile_rows = tile_vectors * lanes;
constexpr std::size_t register_columns = lanes == 16 ? 8 : 4;
static_assert(panel_rows % tile_rows == 0 && tile_columns % register_columns == 0);

/// Rows from `panel` on, of `register_columns` columns from `vectors` on.
inline void
multiply_tile(const Product& p, const float* panel, const float* vectors, float* outputs)
{
    Vec sums[register_columns][tile_vectors] = {};
    for (std::size_t k = 0; k < p.inputs; ++k) {
        Vec weights[tile_vectors];
#pragma GCC unroll 3
        for (std::size_t v = 0; v < tile_vectors; ++v)
            weights[v] = *reinterpret_cast<const MemoryVec*>(panel + k * panel_rows + v * lanes);
#pragma GCC unroll 8
        for (std::size_t c = 0; c < register_columns; ++c) {
            const Vec value = vectors[c * p.inputs + k] - Vec{}; // to all lanes
#pragma GCC unroll 3
            for (std::size_t v = 0; v < tile_vectors; ++v)
                sums[c][v] = fused(weights[v], value, sums[c][v]);
        }
    }
    const std::size_t stride = p.panel_count * panel_rows;
#pragma GCC unroll 8
    for (std::size_t c = 0; c < register_columns; ++c)
#pragma GCC unroll 3
        for (std::size_t v = 0; v < tile_vectors; ++v)
            *reinterpret_cast<MemoryVec*>(outputs + c * stride + v * lanes) = sums[c][v];
}

void multiply(const Product& p)
{
    const std::size_t stride = p.panel_count * panel_rows;
    for (std::size_t panel = 0; panel < p.panel_count; ++panel)
        for (std::size_t row = 0; row < panel_rows; row += tile_rows)
            for (std::size_t column = 0; column < p.columns; column += register_columns)
                multiply_tile(p, p.panels + panel * panel_rows * p.inputs + row,
                              p.vectors + column * p.inputs,
                              p.outputs + column * stride + panel * panel_rows + row);
}

} // namespace
} // namespace senteval::random
