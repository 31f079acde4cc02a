// random_stream.hpp -- random numbers that are the same on every platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace senteval::random {

/// A stream of random numbers, given by a seed and a number of its own, so that each matrix of a
/// model has its own stream. The engine is std::mt19937_64, whose output the standard fixes; the
/// distributions are written here, because the standard leaves theirs to the library.
class RandomStream {
public:
    RandomStream(std::uint64_t seed, std::uint64_t stream);

    /// Uniform in [0, 1), 53 bits.
    double uniform();
    double uniform(double low, double high) { return low + (high - low) * uniform(); }

    /// Standard normal (the polar method of Marsaglia and Bray 1964).
    double normal();

    /// Uniform in {0, ..., bound - 1}; bound at least 1.
    std::size_t index(std::size_t bound);

private:
    std::mt19937_64 engine_;
    double spare_ = 0;
    bool has_spare_ = false;
};

} // namespace senteval::random
