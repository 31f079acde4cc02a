// products.hpp -- the kernels that multiply: inner products and linear combinations of rows.
#pragma once

#include "numeric/sparse.hpp"

namespace senteval::numeric {
namespace {

// ---- dot ------------------------------------------------------------------------------------------

/// Floats that will be wanted soon: those at rows[i] + offset + f, where f goes through those of a part.
struct Ahead {
    const float* const* rows = nullptr; ///< null: none
    std::ptrdiff_t offset = 0;
};

/// The outputs' sums over `lanes` of each line's virtual lanes: the lines of begin, which points to the
/// first of these, to end. Fetch: what is ahead is on its way to the cache then.
template <std::size_t Outputs, bool Fetch>
SENTEVAL_INLINE void dot_lanes(const float* const* rows,
                               const Ahead& ahead,
                               const float* weights,
                               std::size_t stride,
                               std::size_t begin,
                               std::size_t end,
                               Vec* sums)
{
    constexpr std::size_t block = lanes / Outputs;
#pragma GCC unroll 16
    for (std::size_t s = 0; s < lanes; ++s)
        sums[s] = Vec{};
    for (std::size_t f = begin; f < end; f += line) {
        Vec x[block];
#pragma GCC unroll 16
        for (std::size_t i = 0; i < block; ++i) {
            x[i] = load(rows[i] + f);
            if constexpr (Fetch)
                __builtin_prefetch(ahead.rows[i] + (ahead.offset + static_cast<std::ptrdiff_t>(f)),
                                   0, 2);
        }
#pragma GCC unroll 16
        for (std::size_t k = 0; k < Outputs; ++k) {
            const Vec w = load(weights + k * stride + f);
#pragma GCC unroll 16
            for (std::size_t i = 0; i < block; ++i)
                sums[k * block + i] = fused(w, x[i], sums[k * block + i]);
        }
    }
}

/// `Outputs` outputs of lanes / Outputs rows, over the floats begin ... end - 1. A line's floats go to
/// 16 sums, one for each place in it; these are added by halves.
template <std::size_t Outputs, bool Fetch>
SENTEVAL_INLINE void dot_block(const float* const* rows,
                               const Ahead& ahead,
                               const float* weights,
                               std::size_t stride,
                               std::size_t begin,
                               std::size_t end,
                               float* out,
                               std::size_t out_stride)
{
    constexpr std::size_t block = lanes / Outputs;
    Vec sums[line / lanes][lanes];
    dot_lanes<Outputs, Fetch>(rows, ahead, weights, stride, begin, end, sums[0]);
    for (std::size_t part = 1; part < line / lanes; ++part)
        dot_lanes<Outputs, false>(rows, ahead, weights, stride, begin + part * lanes, end,
                                  sums[part]);
    for (std::size_t half = line / lanes / 2; half > 0; half /= 2)
        for (std::size_t part = 0; part < half; ++part)
            for (std::size_t s = 0; s < lanes; ++s)
                sums[part][s] += sums[part + half][s];
    float total[lanes];
    store(total, lane_sums(sums[0]));
#pragma GCC unroll 16
    for (std::size_t k = 0; k < Outputs; ++k)
#pragma GCC unroll 16
        for (std::size_t i = 0; i < block; ++i)
            out[k * out_stride + i] =
                begin == 0 ? total[k * block + i] : out[k * out_stride + i] + total[k * block + i];
}

template <std::size_t Outputs>
void dot_rows(const RowPointers& batch,
              const Ahead& ahead,
              const float* weights,
              std::size_t stride,
              std::size_t begin,
              std::size_t end,
              float* out,
              std::size_t out_stride)
{
    constexpr std::size_t block = lanes / Outputs;
    for (std::size_t i = 0; i < batch.count; i += block)
        if (ahead.rows != nullptr)
            dot_block<Outputs, true>(batch.rows + i, {ahead.rows + i, ahead.offset}, weights,
                                     stride, begin, end, out + i, out_stride);
        else
            dot_block<Outputs, false>(batch.rows + i, {}, weights, stride, begin, end, out + i,
                                      out_stride);
}

/// The floats begin ... end - 1 of all rows and outputs.
void dot_part(const RowPointers& batch,
              Ahead ahead,
              const float* weights,
              std::size_t stride,
              std::size_t outputs,
              std::size_t begin,
              std::size_t end,
              float* out,
              std::size_t out_stride)
{
    std::size_t k = 0;
    const auto run = [&](auto width, std::size_t at) {
        dot_rows<decltype(width)::value>(batch, ahead, weights + at * stride, stride, begin, end,
                                         out + at * out_stride, out_stride);
        ahead = {}; // once
    };
    for (; k + 4 <= outputs; k += 4)
        run(std::integral_constant<std::size_t, 4>(), k);
    for (; k + 2 <= outputs; k += 2)
        run(std::integral_constant<std::size_t, 2>(), k);
    for (; k < outputs; ++k)
        run(std::integral_constant<std::size_t, 1>(), k);
}

/// A batch of rows this long fills a good part of the cache.
constexpr std::size_t long_row = 1024;

/// Rows that go through all their parts together. Memory likes long rows read in a few streams; the
/// weights of more outputs than fit into one block would be read too often, though.
std::size_t rows_at_once(const RowPointers& batch, std::size_t outputs)
{
    constexpr std::size_t streams = 8;
    const bool is_one_block = outputs == 1 || outputs == 2 || outputs == 4;
    if (!is_one_block || batch.length < long_row)
        return batch.count;
    const std::size_t block = lanes / outputs;
    return block > streams ? block : streams;
}

/// The rows to fetch while the part at `begin` of the rows first ... first + group - 1 is used: of short rows, the
/// next batch; long rows' own next part, since a next batch would push out what is still wanted. (Measured against
/// the other way round, rows in memory: 1.4x at 300 floats, 1.3x at 1024 and 1.5x at 4096.)
Ahead ahead_of(const RowPointers& batch,
               std::size_t first,
               std::size_t group,
               std::size_t begin,
               std::size_t step)
{
    if (batch.length < long_row)
        return {batch.next, 0};
    if (begin + step < batch.length)
        return {batch.rows + first, static_cast<std::ptrdiff_t>(step)};
    if (first + group < batch.count)
        return {batch.rows + first + group, -static_cast<std::ptrdiff_t>(begin)};
    return {};
}

void dot(const RowPointers& batch,
         const float* weights,
         std::size_t weight_stride,
         std::size_t outputs,
         float* out,
         std::size_t out_stride)
{
    if (batch.sparse != nullptr)
        return dot_sparse(batch, weights, weight_stride, outputs, out, out_stride);
    const std::size_t step = part_length(batch.length);
    const std::size_t group = rows_at_once(batch, outputs);
    RowPointers rows = batch;
    for (std::size_t first = 0; first < batch.count; first += group) {
        rows.rows = batch.rows + first;
        rows.count = batch.count - first < group ? batch.count - first : group;
        for (std::size_t begin = 0; begin < batch.length; begin += step) {
            const std::size_t end = begin + step < batch.length ? begin + step : batch.length;
            dot_part(rows, ahead_of(batch, first, group, begin, step), weights, weight_stride,
                     outputs, begin, end, out + first, out_stride);
        }
    }
}

// ---- combine --------------------------------------------------------------------------------------

/// Most vectors of a row that leave registers for four outputs' sums.
constexpr std::size_t max_width = lanes == 16 ? 6 : lanes == 8 ? 3 : 2;

template <std::size_t Outputs, std::size_t Width, bool Add>
void combine_block(const RowPointers& batch,
                   const Coefficients& coefficients,
                   std::size_t output,
                   std::size_t f,
                   float* out,
                   std::size_t out_stride)
{
    Vec sums[Outputs][Width]{};
    if constexpr (Add)
        for (std::size_t k = 0; k < Outputs; ++k)
            for (std::size_t v = 0; v < Width; ++v)
                sums[k][v] = load(out + (output + k) * out_stride + f + v * lanes);
    const float* c = coefficients.data + output * coefficients.by_output;
    for (std::size_t i = 0; i < batch.count; ++i, c += coefficients.by_row) {
        Vec x[Width];
#pragma GCC unroll 8
        for (std::size_t v = 0; v < Width; ++v)
            x[v] = load(batch.rows[i] + f + v * lanes);
#pragma GCC unroll 4
        for (std::size_t k = 0; k < Outputs; ++k) {
            const Vec factor = broadcast(c[k * coefficients.by_output]);
#pragma GCC unroll 8
            for (std::size_t v = 0; v < Width; ++v)
                sums[k][v] = fused(factor, x[v], sums[k][v]);
        }
    }
#pragma GCC unroll 4
    for (std::size_t k = 0; k < Outputs; ++k)
#pragma GCC unroll 8
        for (std::size_t v = 0; v < Width; ++v)
            store(out + (output + k) * out_stride + f + v * lanes, sums[k][v]);
}

template <std::size_t Width, bool Add>
void combine_columns(const RowPointers& batch,
                     const Coefficients& coefficients,
                     std::size_t outputs,
                     std::size_t f,
                     float* out,
                     std::size_t out_stride)
{
    std::size_t k = 0;
    for (; k + 4 <= outputs; k += 4)
        combine_block<4, Width, Add>(batch, coefficients, k, f, out, out_stride);
    for (; k + 2 <= outputs; k += 2)
        combine_block<2, Width, Add>(batch, coefficients, k, f, out, out_stride);
    for (; k < outputs; ++k)
        combine_block<1, Width, Add>(batch, coefficients, k, f, out, out_stride);
}

/// Calls combine_columns<width>, for a width of at most Width.
template <bool Add, std::size_t Width = max_width>
void combine_width(std::size_t width,
                   const RowPointers& batch,
                   const Coefficients& coefficients,
                   std::size_t outputs,
                   std::size_t f,
                   float* out,
                   std::size_t out_stride)
{
    if (width == Width)
        combine_columns<Width, Add>(batch, coefficients, outputs, f, out, out_stride);
    else if constexpr (Width > 1)
        combine_width<Add, Width - 1>(width, batch, coefficients, outputs, f, out, out_stride);
}

template <bool Add>
void combine_as(const RowPointers& batch,
                const Coefficients& coefficients,
                std::size_t outputs,
                float* out,
                std::size_t out_stride)
{
    if (batch.sparse != nullptr)
        return combine_sparse<Add>(batch, coefficients, outputs, out, out_stride);
    const std::size_t vectors = batch.length / lanes;
    std::size_t blocks = (vectors + max_width - 1) / max_width;
    for (std::size_t v = 0; v < vectors; --blocks) {
        const std::size_t width = (vectors - v + blocks - 1) / blocks;
        combine_width<Add>(width, batch, coefficients, outputs, v * lanes, out, out_stride);
        v += width;
    }
}

void combine(const RowPointers& batch,
             const Coefficients& coefficients,
             std::size_t outputs,
             float* out,
             std::size_t out_stride)
{
    combine_as<false>(batch, coefficients, outputs, out, out_stride);
}

void add_combined(const RowPointers& batch,
                  const Coefficients& coefficients,
                  std::size_t outputs,
                  float* out,
                  std::size_t out_stride)
{
    combine_as<true>(batch, coefficients, outputs, out, out_stride);
}

// ---- multiply -------------------------------------------------------------------------------------

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
            weights[v] = load(panel + k * panel_rows + v * lanes);
#pragma GCC unroll 8
        for (std::size_t c = 0; c < register_columns; ++c) {
            const Vec value = broadcast(vectors[c * p.inputs + k]);
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
            store(outputs + c * stride + v * lanes, sums[c][v]);
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
} // namespace senteval::numeric
