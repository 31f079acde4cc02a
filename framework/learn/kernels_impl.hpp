// kernels_impl.hpp -- the one source of all kernels, for vectors of SENTEVAL_LANES floats.
//
// Each instruction set includes it in a translation unit of its own, compiled with its flags. All is
// in an unnamed namespace and nothing of the standard library is called: no function compiled for a
// newer processor can be picked by the linker for the others.
#pragma once

#include "learn/kernels.hpp"

#include <utility>

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace senteval::learn {
namespace {

constexpr std::size_t lanes = SENTEVAL_LANES;
constexpr std::size_t line = 16; // floats

using Vec = float __attribute__((vector_size(lanes * 4)));
using IntVec = std::int32_t __attribute__((vector_size(lanes * 4)));
using MemoryVec = float __attribute__((vector_size(lanes * 4), aligned(4), may_alias));
using MemoryIntVec = std::int32_t __attribute__((vector_size(lanes * 4), aligned(4), may_alias));

#define SENTEVAL_INLINE [[gnu::always_inline]] inline

SENTEVAL_INLINE Vec load(const float* p)
{
    return *reinterpret_cast<const MemoryVec*>(p);
}

SENTEVAL_INLINE void store(float* p, Vec value)
{
    *reinterpret_cast<MemoryVec*>(p) = value;
}

SENTEVAL_INLINE Vec broadcast(float x)
{
    return x - Vec{}; // folds to a broadcast; x + 0 does not, for -0
}

SENTEVAL_INLINE Vec larger(Vec a, Vec b)
{
    return a > b ? a : b;
}

SENTEVAL_INLINE IntVec lane_numbers()
{
    IntVec numbers{};
    for (std::size_t lane = 0; lane < lanes; ++lane)
        numbers[lane] = static_cast<std::int32_t>(lane);
    return numbers;
}

// ---- dot ------------------------------------------------------------------------------------------

/// Lane j: a[j] + a[j + Half] where j has no bit `Half`, else b[j] + b[j - Half].
template <std::size_t Half, std::size_t... J>
SENTEVAL_INLINE Vec fold(Vec a, Vec b, std::index_sequence<J...> /*lanes*/)
{
    const Vec own = __builtin_shuffle(
        a, b, IntVec{static_cast<std::int32_t>((J & Half) != 0 ? J + lanes : J)...});
    const Vec other = __builtin_shuffle(
        a, b,
        IntVec{static_cast<std::int32_t>((J & Half) != 0 ? (J ^ Half) + lanes : J ^ Half)...});
    return own + other;
}

/// Lane j of the result is the sum of the lanes of sums[j]; all in the same order of addition.
template <std::size_t Half = lanes / 2>
SENTEVAL_INLINE Vec lane_sums(Vec* sums)
{
    if constexpr (Half == 0) {
        return sums[0];
    } else {
#pragma GCC unroll 16
        for (std::size_t i = 0; i < Half; ++i)
            sums[i] = fold<Half>(sums[i], sums[i + Half], std::make_index_sequence<lanes>());
        return lane_sums<Half / 2>(sums);
    }
}

/// `Outputs` outputs of lanes / Outputs rows, over the floats begin ... end - 1. Fetch: those of the
/// rows `next` are on their way to the cache then.
template <std::size_t Outputs, bool Fetch>
SENTEVAL_INLINE void dot_block(const float* const* rows,
                               const float* const* next,
                               const float* weights,
                               std::size_t stride,
                               std::size_t begin,
                               std::size_t end,
                               float* out,
                               std::size_t out_stride)
{
    constexpr std::size_t block = lanes / Outputs;
    Vec sums[lanes]{};
    for (std::size_t f = begin; f < end; f += lanes) {
        Vec x[block];
#pragma GCC unroll 16
        for (std::size_t i = 0; i < block; ++i) {
            x[i] = load(rows[i] + f);
            if constexpr (Fetch)
                __builtin_prefetch(next[i] + f, 0, 2);
        }
#pragma GCC unroll 16
        for (std::size_t k = 0; k < Outputs; ++k) {
            const Vec w = load(weights + k * stride + f);
#pragma GCC unroll 16
            for (std::size_t i = 0; i < block; ++i)
                sums[k * block + i] += w * x[i];
        }
    }
    float total[lanes];
    store(total, lane_sums(sums));
#pragma GCC unroll 16
    for (std::size_t k = 0; k < Outputs; ++k)
#pragma GCC unroll 16
        for (std::size_t i = 0; i < block; ++i)
            out[k * out_stride + i] =
                begin == 0 ? total[k * block + i] : out[k * out_stride + i] + total[k * block + i];
}

template <std::size_t Outputs>
void dot_rows(const RowPointers& batch,
              bool fetch,
              const float* weights,
              std::size_t stride,
              std::size_t begin,
              std::size_t end,
              float* out,
              std::size_t out_stride)
{
    constexpr std::size_t block = lanes / Outputs;
    for (std::size_t i = 0; i < batch.count; i += block)
        if (fetch)
            dot_block<Outputs, true>(batch.rows + i, batch.next + i, weights, stride, begin, end,
                                     out + i, out_stride);
        else
            dot_block<Outputs, false>(batch.rows + i, nullptr, weights, stride, begin, end, out + i,
                                      out_stride);
}

/// The floats begin ... end - 1 of all rows and outputs.
void dot_part(const RowPointers& batch,
              const float* weights,
              std::size_t stride,
              std::size_t outputs,
              std::size_t begin,
              std::size_t end,
              float* out,
              std::size_t out_stride)
{
    bool fetch = batch.next != nullptr; // once
    std::size_t k = 0;
    const auto run = [&](auto width, std::size_t at) {
        dot_rows<decltype(width)::value>(batch, fetch, weights + at * stride, stride, begin, end,
                                         out + at * out_stride, out_stride);
        fetch = false;
    };
    for (; k + 4 <= outputs; k += 4)
        run(std::integral_constant<std::size_t, 4>(), k);
    for (; k + 2 <= outputs; k += 2)
        run(std::integral_constant<std::size_t, 2>(), k);
    for (; k < outputs; ++k)
        run(std::integral_constant<std::size_t, 1>(), k);
}

void dot(const RowPointers& batch,
         const float* weights,
         std::size_t weight_stride,
         std::size_t outputs,
         float* out,
         std::size_t out_stride)
{
    // Long rows are cut into parts of at most 256 floats: those of a batch stay in the nearest cache.
    constexpr std::size_t part = 256;
    const std::size_t parts = (batch.length + part - 1) / part;
    const std::size_t step = (batch.length / line + parts - 1) / parts * line;
    for (std::size_t begin = 0; begin < batch.length; begin += step) {
        const std::size_t end = begin + step < batch.length ? begin + step : batch.length;
        dot_part(batch, weights, weight_stride, outputs, begin, end, out, out_stride);
    }
}

// ---- combine --------------------------------------------------------------------------------------

/// As many vectors of a row as leave registers for four outputs' sums.
constexpr std::size_t max_width = lanes == 16 ? 6 : lanes == 8 ? 3 : 2;

template <std::size_t Outputs, std::size_t Width>
void combine_block(const RowPointers& batch,
                   const Coefficients& coefficients,
                   std::size_t output,
                   std::size_t f,
                   float* out,
                   std::size_t out_stride)
{
    Vec sums[Outputs][Width]{};
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
                sums[k][v] += factor * x[v];
        }
    }
#pragma GCC unroll 4
    for (std::size_t k = 0; k < Outputs; ++k)
#pragma GCC unroll 8
        for (std::size_t v = 0; v < Width; ++v)
            store(out + (output + k) * out_stride + f + v * lanes, sums[k][v]);
}

template <std::size_t Width>
void combine_columns(const RowPointers& batch,
                     const Coefficients& coefficients,
                     std::size_t outputs,
                     std::size_t f,
                     float* out,
                     std::size_t out_stride)
{
    std::size_t k = 0;
    for (; k + 4 <= outputs; k += 4)
        combine_block<4, Width>(batch, coefficients, k, f, out, out_stride);
    for (; k + 2 <= outputs; k += 2)
        combine_block<2, Width>(batch, coefficients, k, f, out, out_stride);
    for (; k < outputs; ++k)
        combine_block<1, Width>(batch, coefficients, k, f, out, out_stride);
}

/// Calls combine_columns<width>, for a width of at most Width.
template <std::size_t Width = max_width>
void combine_width(std::size_t width,
                   const RowPointers& batch,
                   const Coefficients& coefficients,
                   std::size_t outputs,
                   std::size_t f,
                   float* out,
                   std::size_t out_stride)
{
    if (width == Width)
        combine_columns<Width>(batch, coefficients, outputs, f, out, out_stride);
    else if constexpr (Width > 1)
        combine_width<Width - 1>(width, batch, coefficients, outputs, f, out, out_stride);
}

void combine(const RowPointers& batch,
             const Coefficients& coefficients,
             std::size_t outputs,
             float* out,
             std::size_t out_stride)
{
    const std::size_t vectors = batch.length / lanes;
    std::size_t blocks = (vectors + max_width - 1) / max_width;
    for (std::size_t v = 0; v < vectors; --blocks) {
        const std::size_t width = (vectors - v + blocks - 1) / blocks;
        combine_width(width, batch, coefficients, outputs, v * lanes, out, out_stride);
        v += width;
    }
}

// ---- softmax --------------------------------------------------------------------------------------

/// e to the power x, to about an ulp; for x below -87 the smallest normal numbers.
SENTEVAL_INLINE Vec exponential(Vec x)
{
    x = x > -87.0F ? x : broadcast(-87.0F);
    x = x < 88.0F ? x : broadcast(88.0F);
    // x = n ln 2 + r, |r| <= ln 2 / 2; adding 1.5 * 2^23 rounds to an integer.
    const Vec shifted = x * 1.44269504F + 12582912.0F;
    const Vec n = shifted - 12582912.0F;
    const Vec r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
    // Coefficients of Cephes' expf (Moshier): e^r = 1 + r + r^2 p(r).
    Vec p = r * 1.9875691500e-4F + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    const Vec power = (p * (r * r) + r) + 1.0F;
    const IntVec exponent = __builtin_convertvector(n, IntVec) << 23;
    return reinterpret_cast<Vec>(reinterpret_cast<IntVec>(power) + exponent);
}

/// Exponentials of the logits less the largest of them and 0, in place; returns those of the first
/// class and their sum.
struct Exponentials {
    Vec first;
    Vec sum;
};

SENTEVAL_INLINE Exponentials exponentials(float* logits,
                                          std::size_t classes,
                                          std::size_t row_stride)
{
    Vec top{};
    for (std::size_t c = 0; c + 1 < classes; ++c)
        top = larger(load(logits + c * row_stride), top);
    const Vec first = exponential(-top);
    Vec sum = first;
    for (std::size_t c = 0; c + 1 < classes; ++c) {
        const Vec e = exponential(load(logits + c * row_stride) - top);
        store(logits + c * row_stride, e);
        sum += e;
    }
    return {first, sum};
}

SENTEVAL_INLINE IntVec before(std::size_t count, std::size_t i)
{
    return i < count ? lane_numbers() < static_cast<std::int32_t>(count - i) : IntVec{};
}

void softmax(float* logits, std::size_t classes, std::size_t row_stride, std::size_t count)
{
    for (std::size_t i = 0; i < count; i += lanes) {
        const Vec factor = 1.0F / exponentials(logits + i, classes, row_stride).sum;
        for (std::size_t c = 0; c + 1 < classes; ++c)
            store(logits + c * row_stride + i, load(logits + c * row_stride + i) * factor);
    }
}

void cross_entropy(float* logits,
                   std::size_t classes,
                   std::size_t row_stride,
                   std::size_t count,
                   const std::uint32_t* labels,
                   float scale)
{
    for (std::size_t i = 0; i < row_stride; i += lanes) {
        const Vec factor = scale / exponentials(logits + i, classes, row_stride).sum;
        const IntVec label = *reinterpret_cast<const MemoryIntVec*>(labels + i);
        const IntVec valid = before(count, i);
        for (std::size_t c = 0; c + 1 < classes; ++c) {
            float* const at = logits + c * row_stride + i;
            const Vec target = label == static_cast<std::int32_t>(c + 1) ? broadcast(scale) : Vec{};
            store(at, valid ? load(at) * factor - target : Vec{});
        }
    }
}

void squared_error(float* logits,
                   std::size_t classes,
                   std::size_t row_stride,
                   std::size_t count,
                   const float* targets,
                   float scale)
{
    for (std::size_t i = 0; i < row_stride; i += lanes) {
        float* const at = logits + i;
        const float* const target = targets + i;
        const Exponentials e = exponentials(at, classes, row_stride);
        const Vec factor = 1.0F / e.sum;
        const Vec first = e.first * factor;
        Vec mean = first * (first - load(target)); // of the errors, under the probabilities
        for (std::size_t c = 0; c + 1 < classes; ++c) {
            const Vec p = load(at + c * row_stride) * factor;
            mean += p * (p - load(target + (c + 1) * row_stride));
            store(at + c * row_stride, p);
        }
        const IntVec valid = before(count, i);
        for (std::size_t c = 0; c + 1 < classes; ++c) {
            const Vec p = load(at + c * row_stride);
            const Vec error = p - load(target + (c + 1) * row_stride);
            store(at + c * row_stride, valid ? scale * p * (error - mean) : Vec{});
        }
    }
}

void argmax(const float* logits,
            std::size_t classes,
            std::size_t row_stride,
            std::size_t count,
            std::uint32_t* labels)
{
    for (std::size_t i = 0; i < count; i += lanes) {
        Vec top{};
        IntVec best{};
        for (std::size_t c = 0; c + 1 < classes; ++c) {
            const Vec value = load(logits + c * row_stride + i);
            best = value > top ? IntVec{} + static_cast<std::int32_t>(c + 1) : best;
            top = larger(value, top);
        }
        *reinterpret_cast<MemoryIntVec*>(labels + i) = best;
    }
}

// ---- activations ----------------------------------------------------------------------------------

SENTEVAL_INLINE Vec sigmoid(Vec x)
{
    return 1.0F / (1.0F + exponential(-x));
}

SENTEVAL_INLINE Vec activated(Activation activation, Vec x)
{
    switch (activation) {
    case Activation::sigmoid:
        return sigmoid(x);
    case Activation::tanh:
        return 2.0F * sigmoid(2.0F * x) - 1.0F;
    case Activation::relu:
        return larger(x, Vec{});
    }
    return x;
}

/// From the activated value y.
SENTEVAL_INLINE Vec derivative(Activation activation, Vec y)
{
    switch (activation) {
    case Activation::sigmoid:
        return y * (1.0F - y);
    case Activation::tanh:
        return 1.0F - y * y;
    case Activation::relu:
        return y > Vec{} ? broadcast(1) : Vec{};
    }
    return y;
}

void activate(Activation activation, float* values, const float* mask, std::size_t size)
{
    for (std::size_t i = 0; i < size; i += lanes) {
        const Vec x = mask == nullptr ? load(values + i) : load(values + i) * load(mask + i);
        store(values + i, activated(activation, x));
    }
}

void activate_backward(Activation activation,
                       float* gradient,
                       const float* values,
                       const float* mask,
                       std::size_t size)
{
    for (std::size_t i = 0; i < size; i += lanes) {
        const Vec g = load(gradient + i) * derivative(activation, load(values + i));
        store(gradient + i, mask == nullptr ? g : g * load(mask + i));
    }
}

// ---- optimisers -----------------------------------------------------------------------------------

SENTEVAL_INLINE Vec root(Vec x)
{
#if defined(__AVX512F__)
    // The unmasked intrinsic of g++ 12 warns of an uninitialised operand.
    return reinterpret_cast<Vec>(_mm512_maskz_sqrt_ps(0xFFFF, reinterpret_cast<__m512>(x)));
#elif defined(__AVX__)
    return reinterpret_cast<Vec>(_mm256_sqrt_ps(reinterpret_cast<__m256>(x)));
#else
    for (std::size_t lane = 0; lane < lanes; ++lane)
        x[lane] = __builtin_sqrtf(x[lane]);
    return x;
#endif
}

/// The change of a parameter with gradient g; first and second are its running values.
template <Method M>
SENTEVAL_INLINE Vec change(const StepConstants& c, Vec g, Vec& first, Vec& second)
{
    if constexpr (M == Method::adam) {
        first = c.decay * first + c.gain * g;
        second = c.square_decay * second + c.square_gain * (g * g);
        return c.rate * first / (root(second) * c.square_scale + c.epsilon);
    } else if constexpr (M == Method::adamax) {
        first = c.decay * first + c.gain * g;
        second = larger(c.square_decay * second, larger(g, -g) + c.epsilon);
        return c.rate * first / second;
    } else if constexpr (M == Method::adagrad) {
        second += g * g;
        return c.rate * g / (root(second) + c.epsilon);
    } else if constexpr (M == Method::adadelta) {
        second = c.square_decay * second + c.square_gain * (g * g);
        const Vec delta = root(first + c.epsilon) / root(second + c.epsilon) * g;
        first = c.square_decay * first + c.square_gain * (delta * delta);
        return c.rate * delta;
    } else if constexpr (M == Method::rmsprop) {
        second = c.square_decay * second + c.square_gain * (g * g);
        first = c.decay * first + g / (root(second) + c.epsilon);
        return c.rate * first;
    } else {
        first = c.decay * first + c.gain * g;
        return c.rate * (c.nesterov ? g + c.decay * first : first);
    }
}

/// Moves the parameters at block.weights[i] by the gradient g; returns where they are now.
template <Method M>
SENTEVAL_INLINE Vec
move(const StepConstants& step, float l2, const ParameterBlock& block, std::size_t i, Vec g)
{
    const Vec w = load(block.weights + i);
    Vec first = load(block.first + i);
    Vec second = load(block.second + i);
    const Vec moved = w - change<M>(step, g + l2 * w, first, second);
    store(block.weights + i, moved);
    store(block.first + i, first);
    store(block.second + i, second);
    return moved;
}

template <Method M>
void update_as(const StepConstants& step, float l2, const ParameterBlock& block)
{
    for (std::size_t i = 0; i < block.size; i += lanes)
        move<M>(step, l2, block, i, load(block.gradient + i));
}

template <Method M>
void update_softmax_as(const StepConstants& step,
                       float l2,
                       const ParameterBlock& block,
                       std::size_t classes,
                       float* differences)
{
    for (std::size_t i = 0; i < block.size; i += lanes) {
        Vec sum{};
        for (std::size_t c = 0; c + 1 < classes; ++c)
            sum += load(block.gradient + c * block.size + i);
        const Vec first = move<M>(step, l2, block, i, -sum);
        for (std::size_t c = 0; c + 1 < classes; ++c) {
            const std::size_t at = c * block.size + i;
            const Vec other = move<M>(step, l2, block, at + block.size, load(block.gradient + at));
            store(differences + at, other - first);
        }
    }
}

/// Calls `function` with the method as a constant.
template <typename Function>
SENTEVAL_INLINE void with_method(Method method, const Function& function)
{
    switch (method) {
    case Method::adadelta:
        return function(std::integral_constant<Method, Method::adadelta>());
    case Method::adagrad:
        return function(std::integral_constant<Method, Method::adagrad>());
    case Method::adam:
        return function(std::integral_constant<Method, Method::adam>());
    case Method::adamax:
        return function(std::integral_constant<Method, Method::adamax>());
    case Method::rmsprop:
        return function(std::integral_constant<Method, Method::rmsprop>());
    case Method::sgd:
        return function(std::integral_constant<Method, Method::sgd>());
    }
}

void update(Method method, const StepConstants& step, float l2, const ParameterBlock& block)
{
    with_method(method, [&](auto m) { update_as<decltype(m)::value>(step, l2, block); });
}

void update_softmax(Method method,
                    const StepConstants& step,
                    float l2,
                    const ParameterBlock& block,
                    std::size_t classes,
                    float* differences)
{
    with_method(method, [&](auto m) {
        update_softmax_as<decltype(m)::value>(step, l2, block, classes, differences);
    });
}

} // namespace
} // namespace senteval::learn

/// Defines the table of this translation unit's kernels.
#define SENTEVAL_DEFINE_KERNELS(table, label)                                                      \
    const Kernels table                                                                            \
    {                                                                                              \
        label, dot, combine, cross_entropy, squared_error, softmax, argmax, activate,              \
            activate_backward, update, update_softmax                                              \
    }
