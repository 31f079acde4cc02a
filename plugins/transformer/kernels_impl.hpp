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

/// Values that are read again and again, side by side, in Attention::scratch.
struct Workplace {
    explicit Workplace(const Attention& a)
        : row(whole_panels(a.tokens)),
          value_row(whole_vectors(a.width)),
          keys(a.scratch),
          values(keys + row * a.width),
          scores(values + row * value_row),
          queries(scores + attention_queries * row),
          sums(queries + attention_queries * a.width)
    {
    }

    std::size_t row;       ///< of scores, in floats
    std::size_t value_row; ///< of values and sums
    float*
        keys; ///< panels of 32, row c of which holds element c of each: scores need no sum over lanes
    float* values;
    float* scores;
    float* queries;
    float* sums;
};

void pack_keys_and_values(const Attention& a, const Workplace& w)
{
    for (std::size_t j = 0; j < a.tokens; ++j) {
        float* const keys = w.keys + j / attention_panel * attention_panel * a.width;
        for (std::size_t c = 0; c < a.width; ++c)
            keys[c * attention_panel + j % attention_panel] = a.keys[j * a.stride + c];
        for (std::size_t c = 0; c < a.width; ++c)
            w.values[j * w.value_row + c] = a.values[j * a.stride + c];
    }
}

/// Scores of Rows queries from `first` + i on, for Vecs vectors of keys of a panel from j on.
template <std::size_t Rows, std::size_t Vecs>
SENTEVAL_INLINE void
score(const Attention& a, const Workplace& w, std::size_t first, std::size_t i, std::size_t j)
{
    const float* const keys =
        w.keys + j / attention_panel * attention_panel * a.width + j % attention_panel;
    const float* const queries = w.queries + i * a.width;
    Vec sums[Rows][Vecs] = {};
    for (std::size_t c = 0; c < a.width; ++c)
#pragma GCC unroll 4
        for (std::size_t r = 0; r < Rows; ++r)
#pragma GCC unroll 2
            for (std::size_t v = 0; v < Vecs; ++v)
                sums[r][v] = fused(queries[r * a.width + c],
                                   load(keys + c * attention_panel + v * lanes), sums[r][v]);
    for (std::size_t r = 0; r < Rows; ++r)
        for (std::size_t v = 0; v < Vecs; ++v) {
            const std::size_t at = j + v * lanes;
            Vec sum = sums[r][v] * a.scale;
            if (a.bias != nullptr)
                sum += load(a.bias + a.tokens - 1 + at - (first + i + r));
            store(w.scores + (i + r) * w.row + at, sum);
        }
}

/// Replaces those of the elements j, j + 1, ... that are not from `begin` up to `end` by something below any score.
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

/// Adds the values begin to end, weighed, to Vecs vectors of sums from column c on.
template <std::size_t Rows, std::size_t Vecs>
SENTEVAL_INLINE void
mix(const Workplace& w, std::size_t i, std::size_t begin, std::size_t end, std::size_t c)
{
    float* const all = w.sums + i * w.value_row + c;
    const float* const scores = w.scores + i * w.row;
    Vec sums[Rows][Vecs];
    for (std::size_t r = 0; r < Rows; ++r)
        for (std::size_t v = 0; v < Vecs; ++v)
            sums[r][v] = load(all + r * w.value_row + v * lanes);
    for (std::size_t j = begin; j < end; ++j)
#pragma GCC unroll 4
        for (std::size_t r = 0; r < Rows; ++r)
#pragma GCC unroll 2
            for (std::size_t v = 0; v < Vecs; ++v)
                sums[r][v] = fused(scores[r * w.row + j],
                                   load(w.values + j * w.value_row + c + v * lanes), sums[r][v]);
    for (std::size_t r = 0; r < Rows; ++r)
        for (std::size_t v = 0; v < Vecs; ++v)
            store(all + r * w.value_row + v * lanes, sums[r][v]);
}

template <std::size_t Count>
struct Rows {
    static constexpr std::size_t count = Count;
};

/// Calls work(Rows, first of them): several at a time share what they load.
template <typename Work>
SENTEVAL_INLINE void by_rows(std::size_t count, Work&& work)
{
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4)
        work(Rows<4>(), i);
    for (; i < count; ++i)
        work(Rows<1>(), i);
}

/// Attends for `count` queries of a head from `first` on. Keys and values are taken in parts that stay in the nearest
/// cache.
void attend_to_all(
    const Attention& a, const Workplace& w, std::size_t head, std::size_t first, std::size_t count)
{
    const std::size_t part_begin = seen_from(a, first) / attention_panel * attention_panel;
    const std::size_t part_end = seen_to(a, first + count - 1);
    const auto end_of = [&](std::size_t i) { return seen_to(a, first + i); };
    const auto begin_of = [&](std::size_t i) { return seen_from(a, first + i); };
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t c = 0; c < a.width; ++c)
            w.queries[i * a.width + c] = a.queries[(first + i) * a.stride + head * a.width + c];

    for (std::size_t part = part_begin; part < part_end; part += attention_panel)
        by_rows(
            count, [&](auto rows, std::size_t i) __attribute__((always_inline)) {
                const std::size_t end = whole_vectors(end_of(i + rows.count - 1));
                if (part + attention_panel <= begin_of(i) || part >= end)
                    return;
                std::size_t j = part;
                for (; j + 2 * lanes <= end && j < part + attention_panel; j += 2 * lanes)
                    score<rows.count, 2>(a, w, first, i, j);
                for (; j < end && j < part + attention_panel; j += lanes)
                    score<rows.count, 1>(a, w, first, i, j);
            });

    float factors[attention_queries];
    by_rows(
        count, [&](auto rows, std::size_t i) __attribute__((always_inline)) {
            const std::size_t from = begin_of(i) / attention_panel * attention_panel;
            const std::size_t to = whole_vectors(end_of(i + rows.count - 1));
            for (std::size_t r = i; r < i + rows.count; ++r)
                factors[r] =
                    exponentials_of(w.scores + r * w.row, from, to, begin_of(r), end_of(r));
        });

    for (std::size_t c = 0; c < count * w.value_row; c += lanes)
        store(w.sums + c, Vec{});
    constexpr std::size_t together = 2 * attention_panel; // values
    for (std::size_t part = part_begin; part < part_end; part += together)
        by_rows(
            count, [&](auto rows, std::size_t i) __attribute__((always_inline)) {
                const std::size_t seen = begin_of(i);
                const std::size_t last = end_of(i + rows.count - 1);
                const std::size_t begin = part > seen ? part : seen;
                const std::size_t end = part + together < last ? part + together : last;
                std::size_t c = 0;
                for (; c + 2 * lanes <= w.value_row && begin < end; c += 2 * lanes)
                    mix<rows.count, 2>(w, i, begin, end, c);
                for (; c < w.value_row && begin < end; c += lanes)
                    mix<rows.count, 1>(w, i, begin, end, c);
            });
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t c = 0; c < a.width; c += lanes)
            store_first(a.out + (first + i) * a.out_stride + head * a.width + c,
                        load(w.sums + i * w.value_row + c) * factors[i], a.width - c);
}

void attend(const Attention& a)
{
    const Workplace w(a);
    pack_keys_and_values(a, w);
    for (std::size_t head = 0; head < a.heads; ++head)
        for (std::size_t i = 0; i < a.tokens; i += attention_queries)
            attend_to_all(a, w, head, i,
                          a.tokens - i < attention_queries ? a.tokens - i : attention_queries);
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

/// The error function to 1.5e-7: Abramowitz & Stegun, Handbook of Mathematical Functions, 7.1.26.
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
