// random.hpp -- the random streams of NumPy's legacy generator and of torch on a CPU, bit for bit.
//
// Both are MT19937 (Matsumoto and Nishimura 1998) seeded with init_genrand. A model owns its streams:
// there is no shared generator.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::learn {

class Mt19937 {
public:
    explicit Mt19937(std::uint32_t seed);

    /// The next 32 bits.
    std::uint32_t next()
    {
        if (position_ == size)
            refill();
        return output_[position_++];
    }

private:
    static constexpr std::size_t size = 624;

    void refill();

    std::array<std::uint32_t, size> state_;
    std::array<std::uint32_t, size> output_; ///< of the current state, tempered
    std::size_t position_ = size;
};

/// numpy.random.RandomState(seed).
class NumpyRandom {
public:
    explicit NumpyRandom(std::uint32_t seed) : generator_(seed) {}

    /// Uniform in 0 ... largest: randint(largest + 1), and one draw of choice() with replacement.
    std::uint32_t interval(std::uint32_t largest);

    /// shuffle(items).
    void shuffle(std::span<std::uint32_t> items);

    /// permutation(count).
    std::vector<std::uint32_t> permutation(std::size_t count);

    /// Fills `out` with permutation(out.size()).
    void permutation(std::span<std::uint32_t> out);

private:
    Mt19937 generator_;
};

/// torch.manual_seed(seed), CPU generator.
class TorchRandom {
public:
    explicit TorchRandom(std::uint32_t seed) : generator_(seed) {}

    /// Initial parameters of torch.nn.Linear(inputs, outputs): row k of `out` begins at
    /// out[k * stride] and holds output k's weights, then its bias (inputs + 1 values).
    void linear(std::size_t inputs, std::size_t outputs, float* out, std::size_t stride);

    /// Whether each of the next elements of a tensor survives torch.nn.Dropout(p); in the builds
    /// without MKL, whose generator is another one.
    void keep(double p, std::span<std::uint8_t> out);

private:
    float uniform(float low, float width);

    Mt19937 generator_;
};

} // namespace senteval::learn
