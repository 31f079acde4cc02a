// random.hpp -- the random streams of NumPy, of Python and of torch on a CPU, bit for bit.
//
// All but NumpyGenerator are MT19937 (Matsumoto and Nishimura 1998): NumPy's legacy generator and torch seed it
// with init_genrand, Python with init_by_array. A model owns its streams: there is no shared generator.
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

    /// init_by_array(), with a key of one number.
    static Mt19937 by_array(std::uint32_t key);

    /// Uniform in [0, 1): 53 bits of the next two outputs.
    double uniform();

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

    /// uniform(), random_sample(): in [0, 1).
    double uniform() { return generator_.uniform(); }

    /// choice(p.size(), size, p=p), with replacement; p is not empty.
    std::vector<std::uint32_t> choice(std::span<const double> p, std::size_t size);

    /// shuffle(items).
    void shuffle(std::span<std::uint32_t> items);

    /// permutation(count).
    std::vector<std::uint32_t> permutation(std::size_t count);

    /// Fills `out` with permutation(out.size()).
    void permutation(std::span<std::uint32_t> out);

private:
    Mt19937 generator_;
};

/// Python's random.Random(seed).
class PythonRandom {
public:
    explicit PythonRandom(std::uint32_t seed) : generator_(Mt19937::by_array(seed)) {}

    /// random(): in [0, 1).
    double uniform() { return generator_.uniform(); }

    /// getrandbits(count), count in 1 ... 32.
    std::uint32_t bits(int count) { return generator_.next() >> (32 - count); }

    /// randrange(count): in 0 ... count - 1, count at least 1.
    std::uint32_t below(std::uint32_t count);

    /// sample(range(count), size), size at most count.
    std::vector<std::uint32_t> sample(std::uint32_t count, std::uint32_t size);

    /// choices(range(count), k=size): with replacement, count at least 1.
    std::vector<std::uint32_t> choices(std::uint32_t count, std::size_t size);

private:
    Mt19937 generator_;
};

/// numpy.random.default_rng(seed): PCG64 (O'Neill 2014; XSL-RR of a 128-bit congruential generator), seeded
/// through NumPy's SeedSequence.
class NumpyGenerator {
public:
    explicit NumpyGenerator(std::uint32_t seed);

    std::uint64_t next();

    /// shuffle(list): of a list, not of an array, whose draws are others.
    void shuffle(std::span<std::uint32_t> items);

private:
    __extension__ using State = unsigned __int128;

    std::uint32_t next_half();

    State state_ = 0;
    State increment_ = 0;
    std::uint32_t half_ = 0; ///< the upper half of an output, kept for the next call
    bool has_half_ = false;
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
