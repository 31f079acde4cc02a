// kernels.hpp -- what a transformer computes beside its products, compiled for several instruction sets.
#pragma once

#include <cstddef>
#include <span>

namespace senteval::transformer {

enum class Activation { none, gelu, gelu_tanh, relu, silu, tanh, sigmoid };

/// Attention over the tokens of one sentence, of one head of keys and those of queries that share it: out_i = sum_j
/// softmax_j(scale q_i . k_j + bias_ij) v_j, for j from i - back to i + ahead.
struct Attention {
    static constexpr std::size_t all = ~std::size_t{0};

    std::size_t tokens = 0;
    std::size_t heads = 1; ///< of queries, and of `out`, side by side
    std::size_t width = 0; ///< of a head
    std::size_t back = all;
    std::size_t ahead = all;
    const float* queries = nullptr;
    const float* keys = nullptr;
    const float* values = nullptr;
    std::size_t stride = 0; ///< between tokens, of all three
    float scale = 1.0F;
    const float* bias =
        nullptr; ///< of j - i, from 1 - tokens to tokens - 1; may be null. Up to 15 floats behind are read
    float* out = nullptr; ///< may be the queries
    std::size_t out_stride = 0;
    float* scratch = nullptr; ///< attention_scratch() floats
};

/// Rounded up to whole vectors of any instruction set.
constexpr std::size_t whole_vectors(std::size_t count)
{
    return (count + 15) / 16 * 16;
}
inline constexpr std::size_t attention_queries = 32; ///< that are computed together
inline constexpr std::size_t attention_panel = 32;   ///< keys that lie together
constexpr std::size_t whole_panels(std::size_t tokens)
{
    return (tokens + attention_panel - 1) / attention_panel * attention_panel;
}
constexpr std::size_t attention_scratch(std::size_t tokens, std::size_t width)
{
    return whole_panels(tokens) * (width + whole_vectors(width) + attention_queries) +
           attention_queries * (width + whole_vectors(width));
}

struct NormView {
    const float* weight;
    const float* bias;
    float epsilon;
    bool is_centred; ///< the mean is taken off
};

struct Kernels {
    const char* name;
    void (*attend)(const Attention& attention);
    /// row += added, which may be null; out = normalised(row) * weight + bias, with the variance (not centred: the mean
    /// square) 1. `out` may be `row`.
    void (*add_and_normalise)(
        float* row, const float* added, float* out, std::size_t width, const NormView& norm);
    void (*activate)(Activation activation, float* values, std::size_t count);
    /// Gates rows of 2 x width values: activation(first half) * second half, as rows of `width` from the beginning.
    void (*gate)(Activation activation, float* values, std::size_t rows, std::size_t width);
    /// Turns the pairs of elements (i, i + width / 2) of heads side by side; `turn`: width / 2 cosines, then sines.
    void (*rotate)(float* heads, std::size_t count, std::size_t width, const float* turn);
};

/// Kernels that the processor can run, the newest instruction set first; their results have the same bits on each.
std::span<const Kernels* const> available_kernels();
inline const Kernels& kernels()
{
    return *available_kernels().front();
}

} // namespace senteval::transformer
