// kernels.hpp -- what a transformer computes beside its products, compiled for several instruction sets.
#pragma once

#include <cstddef>
#include <span>

namespace senteval::transformer {

enum class Activation { none, gelu, gelu_tanh, relu, silu, tanh, sigmoid };

/// Attention of one head over the tokens of one sentence: out_i = sum_j softmax_j(scale q_i . k_j + bias_ij) v_j.
struct Attention {
    std::size_t tokens = 0;
    std::size_t width = 0; ///< of the head
    const float* queries = nullptr;
    const float* keys = nullptr;
    const float* values = nullptr; ///< up to 15 floats behind a row's end are read
    std::size_t stride = 0;        ///< between tokens, of all three
    float scale = 1.0F;
    const float* bias =
        nullptr; ///< of j - i, from 1 - tokens to tokens - 1; may be null. Up to 15 floats behind are read
    float* out = nullptr;
    std::size_t out_stride = 0;
    float* scratch = nullptr; ///< attention_scratch() floats
};

/// Tokens, rounded up to whole vectors of any instruction set.
constexpr std::size_t whole_vectors(std::size_t count)
{
    return (count + 15) / 16 * 16;
}
inline constexpr std::size_t attention_rows = 4;
constexpr std::size_t attention_scratch(std::size_t tokens, std::size_t width)
{
    return whole_vectors(tokens) * (width + attention_rows);
}

struct Kernels {
    const char* name;
    void (*attend)(const Attention& attention);
    /// row = normalised(row + added) * weight + bias, with the mean 0 and the variance 1; `added` may be null.
    void (*add_and_normalise)(float* row,
                              const float* added,
                              std::size_t width,
                              const float* weight,
                              const float* bias,
                              float epsilon);
    void (*activate)(Activation activation, float* values, std::size_t count);
};

/// Those that the processor has, the newest instruction set first; their results have the same bits on each.
std::span<const Kernels* const> available_kernels();
inline const Kernels& kernels()
{
    return *available_kernels().front();
}

} // namespace senteval::transformer
