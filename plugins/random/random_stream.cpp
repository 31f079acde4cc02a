#include "random/random_stream.hpp"

#include <cmath>

namespace senteval::random {
namespace {

/// The finaliser of SplitMix64: near seeds give unrelated engines.
std::uint64_t mix(std::uint64_t z)
{
    z += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

} // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream)
    : engine_(mix(mix(seed) ^ stream))
{
}

double RandomStream::uniform()
{
    return static_cast<double>(engine_() >> 11) * 0x1p-53;
}

double RandomStream::normal()
{
    if (has_spare_) {
        has_spare_ = false;
        return spare_;
    }
    double x = 0;
    double y = 0;
    double square = 0;
    do {
        x = uniform(-1, 1);
        y = uniform(-1, 1);
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double factor = std::sqrt(-2 * std::log(square) / square);
    spare_ = y * factor;
    has_spare_ = true;
    return x * factor;
}

std::size_t RandomStream::index(std::size_t bound)
{
    // Numbers from the incomplete last round would favour the small indices.
    const std::uint64_t range = bound;
    const std::uint64_t rejected = (0 - range) % range;
    std::uint64_t number = 0;
    do
        number = engine_();
    while (number < rejected);
    return static_cast<std::size_t>(number % range);
}

} // namespace senteval::random
