// half.hpp -- IEEE 754's binary16: 5 bits of exponent, 11 significant bits.
#pragma once

#include <bit>
#include <cstdint>

namespace senteval::base {

/// The value of a half, exactly.
inline float from_half(std::uint16_t half) noexcept
{
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const std::uint32_t exponent = half & 0x7c00U;
    const std::uint32_t fraction = half & 0x3ffU;
    if (exponent == 0)
        return std::bit_cast<float>(
            sign | std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24F));
    const std::uint32_t wider =
        exponent == 0x7c00U ? 0x7f800000U : (exponent << 13U) + (112U << 23U);
    return std::bit_cast<float>(sign | wider | fraction << 13U);
}

/// The half nearest to `x`, as a float: to even of two, and beyond 65504 that. Below 2^-14 steps of 2^-24, which are those
/// of floats from .5 to 1. Without a branch, for whole vectors at a time.
inline float rounded_to_half(float x) noexcept
{
    constexpr float most = 65504;
    constexpr float least_normal = 0x1p-14F;
    constexpr float shift = 0.75F;
    constexpr std::uint32_t sign = 0x80000000U;
    const float above = x < -most ? -most : x;
    const auto bits = std::bit_cast<std::uint32_t>(above > most ? most : above);
    const auto size = std::bit_cast<float>(bits & ~sign);
    const std::uint32_t normal = (bits + 0xfffU + ((bits >> 13U) & 1U)) & ~0x1fffU;
    const auto small = std::bit_cast<std::uint32_t>((size + shift) - shift) | (bits & sign);
    return std::bit_cast<float>(size < least_normal ? small : normal);
}

} // namespace senteval::base
