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

/// The first token that token i attends to, and the one behind the last.
SENTEVAL_INLINE std::size_t seen_from(const Attention& a, std::size_t i)
{
    return i > a.back ? i - a.back : 0;
}
SENTEVAL_INLINE std::size_t seen_to(const Attention& a, std::size_t i)
{
    return a.ahead < a.tokens - i ? i + a.ahead + 1 : a.tokens;
}

/// Row c holds element c of all keys, so that scores need no sum over lanes.
void transpose_keys(const Attention& a, float* keys, std::size_t row)
{
    for (std::size_t c = 0; c < a.width; ++c)
        for (std::size_t j = 0; j < row; ++j)
            keys[c * row + j] = j < a.tokens ? a.keys[j * a.stride + c] : 0.0F;
}

/// Scores of Rows queries from `first` on, for Vecs vectors of keys from j on.
template <std::size_t Rows, std::size_t Vecs>
SENTEVAL_INLINE void score(const Attention& a,
                           const float* queries,
                           const float* keys,
                           std::size_t row,
                           std::size_t first,
                           std::size_t j,
                           float* scores)
{
    Vec sums[Rows][Vecs] = {};
    for (std::size_t c = 0; c < a.width; ++c)
#pragma GCC unroll 4
        for (std::size_t i = 0; i < Rows; ++i)
#pragma GCC unroll 2
            for (std::size_t v = 0; v < Vecs; ++v)
                sums[i][v] = fused(queries[(first + i) * a.stride + c],
                                   load(keys + c * row + j + v * lanes), sums[i][v]);
    for (std::size_t i = 0; i < Rows; ++i)
        for (std::size_t v = 0; v < Vecs; ++v) {
            const std::size_t at = j + v * lanes;
            Vec sum = sums[i][v] * a.scale;
            if (a.bias != nullptr)
                sum += load(a.bias + a.tokens - 1 + at - (first + i));
            store(scores + i * row + at, sum);
        }
}

/// Of elements j, j + 1, ...: those from `begin` up to `end`, and in the others something below any score.
constexpr float unseen = -3e38F;
SENTEVAL_INLINE Vec seen_only(Vec x, std::size_t j, std::size_t begin, std::size_t end)
{
    const IntVec at = lane_numbers() + static_cast<std::int32_t>(j);
    x = at >= static_cast<std::int32_t>(begin) ? x : broadcast(unseen);
    return at < static_cast<std::int32_t>(end) ? x : broadcast(unseen);
}

/// Exponentials in place of the scores `from` to `to`, zeros in place of those outside `begin` to `end`; returns 1 / their
/// sum.
float exponentials_of(
    float* scores, std::size_t from, std::size_t to, std::size_t begin, std::size_t end)
{
    Vec tops = broadcast(unseen);
    for (std::size_t j = from; j < to; j += lanes) {
        Vec x = load(scores + j);
        if (j < begin || j + lanes > end)
            store(scores + j, x = seen_only(x, j, begin, end));
        tops = larger(tops, x);
    }
    float top = tops[0];
    for (std::size_t lane = 1; lane < lanes; ++lane)
        top = tops[lane] > top ? tops[lane] : top;
    LineSum sum;
    for (std::size_t j = from; j < to; j += lanes) {
        const Vec x = load(scores + j);
        const Vec e = x > unseen ? exponential(x - top) : Vec{};
        store(scores + j, e);
        sum.add(j, e);
    }
    return 1.0F / sum.total();
}

/// Vecs vectors of columns from c on.
template <std::size_t Rows, std::size_t Vecs>
SENTEVAL_INLINE void mix(const Attention& a,
                         const float* scores,
                         std::size_t row,
                         std::size_t begin,
                         std::size_t end,
                         std::size_t c,
                         const float* factors,
                         float* out)
{
    Vec sums[Rows][Vecs] = {};
    for (std::size_t j = begin; j < end; ++j)
#pragma GCC unroll 4
        for (std::size_t i = 0; i < Rows; ++i)
#pragma GCC unroll 2
            for (std::size_t v = 0; v < Vecs; ++v)
                sums[i][v] = fused(scores[i * row + j],
                                   load(a.values + j * a.stride + c + v * lanes), sums[i][v]);
    for (std::size_t i = 0; i < Rows; ++i)
        for (std::size_t v = 0; v < Vecs; ++v)
            store_first(out + i * a.out_stride + c + v * lanes, sums[i][v] * factors[i],
                        a.width - c - v * lanes);
}

template <std::size_t Rows>
void attend_rows(const Attention& a,
                 std::size_t head,
                 const float* keys,
                 std::size_t row,
                 std::size_t first,
                 float* scores)
{
    const std::size_t begin = seen_from(a, first);
    const std::size_t end = seen_to(a, first + Rows - 1);
    const std::size_t from = begin / line * line;
    const std::size_t to = whole_vectors(end);
    const float* const queries = a.queries + head * a.width;
    std::size_t j = from;
    for (; j + 2 * lanes <= to; j += 2 * lanes)
        score<Rows, 2>(a, queries, keys, row, first, j, scores);
    for (; j < to; j += lanes)
        score<Rows, 1>(a, queries, keys, row, first, j, scores);
    float factors[Rows];
    for (std::size_t i = 0; i < Rows; ++i)
        factors[i] = exponentials_of(scores + i * row, from, to, seen_from(a, first + i),
                                     seen_to(a, first + i));
    float* const out = a.out + first * a.out_stride + head * a.width;
    std::size_t c = 0;
    for (; c + lanes < a.width; c += 2 * lanes)
        mix<Rows, 2>(a, scores, row, begin, end, c, factors, out);
    if (c < a.width)
        mix<Rows, 1>(a, scores, row, begin, end, c, factors, out);
}

void attend(const Attention& a)
{
    const std::size_t row = whole_vectors(a.tokens);
    float* const keys = a.scratch;
    float* const scores = a.scratch + row * a.width;
    transpose_keys(a, keys, row);
    for (std::size_t head = 0; head < a.heads; ++head) {
        std::size_t i = 0;
        for (; i + attention_rows <= a.tokens; i += attention_rows)
            attend_rows<attention_rows>(a, head, keys, row, i, scores);
        for (; i < a.tokens; ++i)
            attend_rows<1>(a, head, keys, row, i, scores);
    }
}

// ---- rows -----------------------------------------------------------------------------------------

void add_and_normalise(
    float* row, const float* added, float* out, std::size_t width, const NormView& norm)
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
    const float mean = norm.is_centred ? sum.total() / size : 0.0F;
    LineSum squares;
    for (std::size_t c = 0; c < width; c += lanes) {
        Vec x = load_first(row + c, width - c) - mean;
        if (c + lanes > width)
            x = load_first(reinterpret_cast<const float*>(&x), width - c);
        squares.add(c, x * x);
    }
    const float scale = 1.0F / __builtin_sqrtf(squares.total() / size + norm.epsilon);
    for (std::size_t c = 0; c < width; c += lanes) {
        const Vec x = (load_first(row + c, width - c) - mean) * scale;
        store_first(
            out + c,
            fused(x, load_first(norm.weight + c, width - c), load_first(norm.bias + c, width - c)),
            width - c);
    }
}

/// Pairs of halves, not of neighbours.
void rotate(float* heads, std::size_t count, std::size_t width, const float* turn)
{
    const std::size_t half = width / 2;
    for (float* head = heads; head < heads + count * width; head += width)
        for (std::size_t c = 0; c < half; c += lanes) {
            const std::size_t rest = half - c;
            const Vec x = load_first(head + c, rest);
            const Vec y = load_first(head + half + c, rest);
            const Vec cosines = load_first(turn + c, rest);
            const Vec sines = load_first(turn + half + c, rest);
            store_first(head + c, x * cosines - y * sines, rest);
            store_first(head + half + c, y * cosines + x * sines, rest);
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

void gate(Activation activation, float* values, std::size_t rows, std::size_t width)
{
    for (std::size_t row = 0; row < rows; ++row) {
        const float* const in = values + 2 * row * width;
        float* const out = values + row * width;
        for (std::size_t c = 0; c < width; c += lanes)
            store_first(out + c,
                        activated(activation, load_first(in + c, width - c)) *
                            load_first(in + width + c, width - c),
                        width - c);
    }
}

} // namespace
} // namespace senteval::transformer

/// Defines the table of this translation unit's kernels.
#define SENTEVAL_DEFINE_TRANSFORMER_KERNELS(table, label)                                          \
    namespace senteval::transformer {                                                              \
    extern const Kernels table;                                                                    \
    const Kernels table{label, attend, add_and_normalise, activate, gate, rotate};                 \
    }
