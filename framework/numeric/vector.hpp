// vector.hpp -- vectors of SENTEVAL_LANES floats, and the arithmetic that all kernels are made of.
//
// Results have the same bits on every processor: an operation is an element's own and rounds once (+, -,
// *, /, square root, and fused(), the multiplication and addition with one rounding), and the order of a
// sum is that of `line` virtual lanes whatever the number of real ones. The compiler never fuses by
// itself (-ffp-contract=off); nothing is approximated by an instruction; there is no libm.
//
// Each instruction set includes this in a translation unit of its own, compiled with its flags. All is
// in an unnamed namespace and nothing of the standard library is called: no function compiled for a
// newer processor can be picked by the linker for the others.
#pragma once

#include "numeric/kernels.hpp"

#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace senteval::numeric {
namespace {

constexpr std::size_t lanes = SENTEVAL_LANES;
constexpr std::size_t line = 16; // floats of a cache line, and virtual lanes

using Vec = float __attribute__((vector_size(lanes * 4)));
using IntVec = std::int32_t __attribute__((vector_size(lanes * 4)));

/// Inner products are summed by parts of at most 256 floats: those of a batch stay in the nearest cache.
constexpr std::size_t part_length(std::size_t length)
{
    constexpr std::size_t most = 256;
    const std::size_t parts = (length + most - 1) / most;
    return (length / line + parts - 1) / parts * line;
}

#define SENTEVAL_INLINE [[gnu::always_inline]] inline

SENTEVAL_INLINE Vec load(const float* p)
{
    Vec value;
    __builtin_memcpy(&value, p, sizeof value);
    return value;
}

SENTEVAL_INLINE IntVec load(const std::uint32_t* p)
{
    IntVec value;
    __builtin_memcpy(&value, p, sizeof value);
    return value;
}

SENTEVAL_INLINE void store(float* p, Vec value)
{
    __builtin_memcpy(p, &value, sizeof value);
}

SENTEVAL_INLINE void store(std::uint32_t* p, IntVec value)
{
    __builtin_memcpy(p, &value, sizeof value);
}

SENTEVAL_INLINE Vec broadcast(float x)
{
    return x - Vec{}; // folds to a broadcast; x + 0 does not, for -0
}

SENTEVAL_INLINE Vec larger(Vec a, Vec b)
{
    return a > b ? a : b;
}

SENTEVAL_INLINE Vec smaller(Vec a, Vec b)
{
    return a < b ? a : b;
}

SENTEVAL_INLINE IntVec lane_numbers()
{
    IntVec numbers{};
    for (std::size_t lane = 0; lane < lanes; ++lane)
        numbers[lane] = static_cast<std::int32_t>(lane);
    return numbers;
}

// ---- fused multiplication and addition ------------------------------------------------------------

/// a * b + c, rounded once.
#if defined(__AVX512F__)
SENTEVAL_INLINE Vec fused(Vec a, Vec b, Vec c)
{
    return reinterpret_cast<Vec>(_mm512_fmadd_ps(
        reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
}
#elif defined(__FMA__)
SENTEVAL_INLINE Vec fused(Vec a, Vec b, Vec c)
{
    return reinterpret_cast<Vec>(_mm256_fmadd_ps(
        reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
}
#elif defined(__SSE2__)
/// a * b + c in double precision, where the product is exact, with the sum rounded to odd: a second
/// rounding, to single precision, is then right (Boldo & Melquiond 2008, "Emulation of FMA and
/// correctly rounded sums: proved algorithms using rounding to odd"). To odd means cut off, and the
/// last bit set where something was cut; the error of the rounded sum (Knuth's) tells both.
SENTEVAL_INLINE __m128d fused_to_odd(__m128d a, __m128d b, __m128d c)
{
    const __m128d product = a * b;
    const __m128d sum = product + c;
    const __m128d part = sum - product;
    const __m128d error = (product - (sum - part)) + (c - part);
    const __m128d zero = _mm_setzero_pd();
    const __m128d below = _mm_cmplt_pd(error, zero);
    // An infinite sum has no error: neither below nor above.
    const __m128d inexact = _mm_or_pd(below, _mm_cmpgt_pd(error, zero));
    const __m128d outwards = _mm_and_pd(_mm_xor_pd(below, _mm_cmplt_pd(sum, zero)), inexact);
    const __m128i cut = _mm_add_epi64(_mm_castpd_si128(sum), _mm_castpd_si128(outwards)); // - 1
    const __m128i sticky = _mm_srli_epi64(_mm_castpd_si128(inexact), 63);
    return _mm_castsi128_pd(_mm_or_si128(cut, sticky));
}

SENTEVAL_INLINE Vec fused(Vec a, Vec b, Vec c)
{
    const auto low = [](Vec x) { return _mm_cvtps_pd(reinterpret_cast<__m128>(x)); };
    const auto high = [&low](Vec x) { return low(__builtin_shufflevector(x, x, 2, 3, 2, 3)); };
    return reinterpret_cast<Vec>(
        _mm_movelh_ps(_mm_cvtpd_ps(fused_to_odd(low(a), low(b), low(c))),
                      _mm_cvtpd_ps(fused_to_odd(high(a), high(b), high(c)))));
}
#else
SENTEVAL_INLINE Vec fused(Vec a, Vec b, Vec c)
{
    for (std::size_t lane = 0; lane < lanes; ++lane)
        c[lane] = __builtin_fmaf(a[lane], b[lane], c[lane]);
    return c;
}
#endif

SENTEVAL_INLINE Vec fused(float a, Vec b, Vec c)
{
    return fused(broadcast(a), b, c);
}

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

/// e to the power x, to about an ulp; for x below -87 the smallest normal numbers.
SENTEVAL_INLINE Vec exponential(Vec x)
{
    x = x > -87.0F ? x : broadcast(-87.0F);
    x = x < 88.0F ? x : broadcast(88.0F);
    // x = n ln 2 + r, |r| <= ln 2 / 2; adding 1.5 * 2^23 rounds to an integer.
    const Vec n = fused(1.44269504F, x, broadcast(12582912.0F)) - 12582912.0F;
    const Vec r = fused(2.12194440e-4F, n, fused(-0.693359375F, n, x));
    // Coefficients of Cephes' expf (Moshier): e^r = 1 + r + r^2 p(r).
    Vec p = fused(1.9875691500e-4F, r, broadcast(1.3981999507e-3F));
    p = fused(p, r, broadcast(8.3334519073e-3F));
    p = fused(p, r, broadcast(4.1665795894e-2F));
    p = fused(p, r, broadcast(1.6666665459e-1F));
    p = fused(p, r, broadcast(5.0000001201e-1F));
    const Vec power = fused(p, r * r, r) + 1.0F;
    const IntVec exponent = __builtin_convertvector(n, IntVec) << 23;
    return reinterpret_cast<Vec>(reinterpret_cast<IntVec>(power) + exponent);
}

// ---- sums over lanes ------------------------------------------------------------------------------

/// Lane j: a[j] + a[j + Half] where j has no bit `Half`, else b[j] + b[j - Half].
template <std::size_t Half, std::size_t... J>
SENTEVAL_INLINE Vec fold(Vec a, Vec b, std::index_sequence<J...> /*lanes*/)
{
    const Vec own = __builtin_shufflevector(a, b, ((J & Half) != 0 ? J + lanes : J)...);
    const Vec other =
        __builtin_shufflevector(a, b, ((J & Half) != 0 ? (J ^ Half) + lanes : J ^ Half)...);
    return own + other;
}

/// Lane j of the result is the sum of the lanes of sums[j]: halves are added, and halves of these.
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

} // namespace
} // namespace senteval::numeric
