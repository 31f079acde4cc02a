// kernels_impl.hpp -- the one source of all kernels, for vectors of SENTEVAL_LANES floats.
#pragma once

#include "numeric/vector.hpp"
#include "transformer/kernels.hpp"

namespace senteval::transformer {
namespace {

using namespace numeric;

/// The first `count` lanes, at most all of them; zeros in the others.
SENTEVAL_INLINE Vec load_first(const float* p, std::size_t count)
{
    if (count >= lanes)
        return load(p);
    float part[lanes] = {};
    for (std::size_t i = 0; i < count; ++i)
        part[i] = p[i];
    return load(part);
}

SENTEVAL_INLINE void store_first(float* p, Vec value, std::size_t count)
{
    if (count >= lanes)
        return store(p, value);
    for (std::size_t i = 0; i < count; ++i)
        p[i] = value[i];
}

/// Sums in the order of sixteen lanes, whatever the number of real ones.
class LineSum {
public:
    SENTEVAL_INLINE void add(std::size_t at, Vec value) { sums_[at % line / lanes] += value; }
    SENTEVAL_INLINE float total() const
    {
        float all[line];
        for (std::size_t v = 0; v < line / lanes; ++v)
            store(all + v * lanes, sums_[v]);
        for (std::size_t half = line / 2; half > 0; half /= 2)
            for (std::size_t i = 0; i < half; ++i)
                all[i] += all[i + half];
        return all[0];
    }

private:
    Vec sums_[line / lanes] = {};
};

// ---- attention ------------------------------------------------------------------------------------

/// Row c holds element c of all keys, so that scores need no sum over lanes.
void transpose_keys(const Attention& a, float* keys, std::size_t row)
{
    for (std::size_t c = 0; c < a.width; ++c)
        for (std::size_t j = 0; j < row; ++j)
            keys[c * row + j] = j < a.tokens ? a.keys[j * a.stride + c] : 0.0F;
}

/// Scores of Rows queries from `first` on.
template <std::size_t Rows>
void score(const Attention& a, const float* keys, std::size_t row, std::size_t first, float* scores)
{
    for (std::size_t j = 0; j < row; j += lanes) {
        Vec sums[Rows] = {};
        for (std::size_t c = 0; c < a.width; ++c) {
            const Vec key = load(keys + c * row + j);
#pragma GCC unroll 4
            for (std::size_t i = 0; i < Rows; ++i)
                sums[i] = fused(a.queries[(first + i) * a.stride + c], key, sums[i]);
        }
        for (std::size_t i = 0; i < Rows; ++i) {
            Vec sum = sums[i] * a.scale;
            if (a.bias != nullptr)
                sum += load(a.bias + a.tokens - 1 + j - (first + i));
            store(scores + i * row + j, sum);
        }
    }
}

/// Exponentials in place of scores, zeros behind the last token; returns 1 / their sum.
float exponentials_of(float* scores, std::size_t tokens, std::size_t row)
{
    float top = scores[0];
    for (std::size_t j = 1; j < tokens; ++j)
        top = scores[j] > top ? scores[j] : top;
    LineSum sum;
    for (std::size_t j = 0; j < row; j += lanes) {
        Vec e = exponential(load(scores + j) - top);
        if (j + lanes > tokens)
            e = load_first(reinterpret_cast<const float*>(&e), tokens > j ? tokens - j : 0);
        store(scores + j, e);
        sum.add(j, e);
    }
    return 1.0F / sum.total();
}

template <std::size_t Rows>
void attend_rows(
    const Attention& a, const float* keys, std::size_t row, std::size_t first, float* scores)
{
    score<Rows>(a, keys, row, first, scores);
    float factors[Rows];
    for (std::size_t i = 0; i < Rows; ++i)
        factors[i] = exponentials_of(scores + i * row, a.tokens, row);
    for (std::size_t c = 0; c < a.width; c += lanes) {
        Vec sums[Rows] = {};
        for (std::size_t j = 0; j < a.tokens; ++j) {
            const Vec value = load(a.values + j * a.stride + c);
#pragma GCC unroll 4
            for (std::size_t i = 0; i < Rows; ++i)
                sums[i] = fused(scores[i * row + j], value, sums[i]);
        }
        for (std::size_t i = 0; i < Rows; ++i)
            store_first(a.out + (first + i) * a.out_stride + c, sums[i] * factors[i], a.width - c);
    }
}

void attend(const Attention& a)
{
    const std::size_t row = whole_vectors(a.tokens);
    float* const keys = a.scratch;
    float* const scores = a.scratch + row * a.width;
    transpose_keys(a, keys, row);
    std::size_t i = 0;
    for (; i + attention_rows <= a.tokens; i += attention_rows)
        attend_rows<attention_rows>(a, keys, row, i, scores);
    for (; i < a.tokens; ++i)
        attend_rows<1>(a, keys, row, i, scores);
}

// ---- rows -----------------------------------------------------------------------------------------

void add_and_normalise(float* row,
                       const float* added,
                       std::size_t width,
                       const float* weight,
                       const float* bias,
                       float epsilon)
{
    const auto size = static_cast<float>(width);
    LineSum sum;
    for (std::size_t c = 0; c < width; c += lanes) {
        Vec x = load_first(row + c, width - c);
        if (added != nullptr)
            x += load_first(added + c, width - c);
        store_first(row + c, x, width - c);
        sum.add(c, x);
    }
    const float mean = sum.total() / size;
    LineSum squares;
    for (std::size_t c = 0; c < width; c += lanes) {
        Vec x = load_first(row + c, width - c) - mean;
        if (c + lanes > width)
            x = load_first(reinterpret_cast<const float*>(&x), width - c);
        squares.add(c, x * x);
    }
    const float scale = 1.0F / __builtin_sqrtf(squares.total() / size + epsilon);
    for (std::size_t c = 0; c < width; c += lanes) {
        const Vec x = (load_first(row + c, width - c) - mean) * scale;
        store_first(row + c,
                    fused(x, load_first(weight + c, width - c), load_first(bias + c, width - c)),
                    width - c);
    }
}

SENTEVAL_INLINE Vec magnitude(Vec x)
{
    return x < 0.0F ? -x : x;
}

/// To 1.5e-7: Abramowitz & Stegun, Handbook of Mathematical Functions, 7.1.26.
SENTEVAL_INLINE Vec error_function(Vec x)
{
    const Vec a = magnitude(x);
    const Vec t = 1.0F / fused(0.3275911F, a, broadcast(1.0F));
    Vec p = fused(1.061405429F, t, broadcast(-1.453152027F));
    p = fused(p, t, broadcast(1.421413741F));
    p = fused(p, t, broadcast(-0.284496736F));
    p = fused(p, t, broadcast(0.254829592F));
    const Vec y = 1.0F - p * t * exponential(-a * a);
    return x < 0.0F ? -y : y;
}

SENTEVAL_INLINE Vec logistic(Vec x)
{
    return 1.0F / (1.0F + exponential(-x));
}

SENTEVAL_INLINE Vec activated(Activation activation, Vec x)
{
    constexpr float root_of_half = 0.707106781F;
    constexpr float root_of_two_by_pi = 0.797884561F;
    switch (activation) {
    case Activation::none:
        return x;
    case Activation::gelu:
        return 0.5F * x * (1.0F + error_function(x * root_of_half));
    case Activation::gelu_tanh: // (1 + tanh y) / 2 = logistic(2 y)
        return x * logistic(2.0F * root_of_two_by_pi * fused(0.044715F * x * x, x, x));
    case Activation::relu:
        return larger(x, Vec{});
    case Activation::silu:
        return x * logistic(x);
    case Activation::tanh:
        return 2.0F * logistic(2.0F * x) - 1.0F;
    case Activation::sigmoid:
        return logistic(x);
    }
    return x;
}

void activate(Activation activation, float* values, std::size_t count)
{
    for (std::size_t i = 0; i < count; i += lanes)
        store_first(values + i, activated(activation, load_first(values + i, count - i)),
                    count - i);
}

} // namespace
} // namespace senteval::transformer

/// Defines the table of this translation unit's kernels.
#define SENTEVAL_DEFINE_TRANSFORMER_KERNELS(table, label)                                          \
    namespace senteval::transformer {                                                              \
    extern const Kernels table;                                                                    \
    const Kernels table{label, attend, add_and_normalise, activate};                               \
    }
