// lcg.hpp -- random numbers that are the same on every machine.
#pragma once

#include <cstdint>

namespace senteval::test {

/// Numbers of a linear congruential generator in -1 ... 1, the same everywhere.
class Lcg {
public:
    explicit Lcg(std::uint32_t seed) : state_(seed) {}
    double next()
    {
        state_ = state_ * 1664525U + 1013904223U;
        return state_ / 4294967296.0 * 2 - 1;
    }

private:
    std::uint32_t state_;
};

} // namespace senteval::test
