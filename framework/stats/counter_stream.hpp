// counter_stream.hpp -- many independent random streams from one seed.
#pragma once

#include <cstdint>

namespace senteval::stats {

/// SplitMix64 (Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators", fig. 17),
/// started where (seed, stream) says. One stream for each resample or row makes results independent
/// of who computes which, and of the order.
class CounterStream {
public:
    CounterStream(std::uint64_t seed, std::uint64_t stream) noexcept
        : state_(mix(seed + golden * (mix(stream) | 1U)))
    {
    }

    std::uint64_t next() noexcept { return mix(state_ += golden); }

    /// A uniform value in [0, 1), with 53 random bits.
    double uniform() noexcept { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

    /// Standard normal, by the Box-Muller transform (two uniforms for each value).
    double normal() noexcept;

private:
    static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;

    static constexpr std::uint64_t mix(std::uint64_t z) noexcept
    {
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
        return z ^ (z >> 31U);
    }

    std::uint64_t state_;
};

} // namespace senteval::stats
