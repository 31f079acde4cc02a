#include "learn/random.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

namespace senteval::learn {

Mt19937::Mt19937(std::uint32_t seed)
{
    state_[0] = seed;
    for (std::uint32_t i = 1; i < size; ++i)
        state_[i] = 1812433253U * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
}

Mt19937 Mt19937::by_array(std::uint32_t key)
{
    Mt19937 random(19650218U);
    auto& state = random.state_;
    std::size_t i = 1;
    const auto mix = [&](std::uint32_t factor, std::uint32_t plus) {
        state[i] = (state[i] ^ ((state[i - 1] ^ (state[i - 1] >> 30)) * factor)) + plus;
        if (++i == size) {
            state[0] = state[size - 1];
            i = 1;
        }
    };
    for (std::size_t k = 0; k < size; ++k)
        mix(1664525U, key);
    for (std::size_t k = 1; k < size; ++k)
        mix(1566083941U, 0U - static_cast<std::uint32_t>(i));
    state[0] = 0x80000000U;
    return random;
}

double Mt19937::uniform()
{
    const std::uint32_t high = next() >> 5;
    const std::uint32_t low = next() >> 6;
    return (high * 67108864.0 + low) / 9007199254740992.0;
}

void Mt19937::refill()
{
    constexpr std::size_t shift = 397;
    const auto twist = [this](std::size_t i, std::size_t next, std::size_t other) {
        const std::uint32_t y = (state_[i] & 0x80000000U) | (state_[next] & 0x7FFFFFFFU);
        state_[i] = state_[other] ^ (y >> 1) ^ ((0U - (y & 1U)) & 0x9908B0DFU);
    };
    for (std::size_t i = 0; i < size - shift; ++i)
        twist(i, i + 1, i + shift);
    for (std::size_t i = size - shift; i < size - 1; ++i)
        twist(i, i + 1, i + shift - size);
    twist(size - 1, 0, shift - 1);

    for (std::size_t i = 0; i < size; ++i) {
        std::uint32_t y = state_[i];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9D2C5680U;
        y ^= (y << 15) & 0xEFC60000U;
        output_[i] = y ^ (y >> 18);
    }
    position_ = 0;
}

std::uint32_t NumpyRandom::interval(std::uint32_t largest)
{
    if (largest == 0)
        return 0;
    const std::uint32_t mask = ~0U >> std::countl_zero(largest);
    std::uint32_t value = generator_.next() & mask;
    while (value > largest)
        value = generator_.next() & mask;
    return value;
}

std::vector<std::uint32_t> NumpyRandom::choice(std::span<const double> p, std::size_t size)
{
    std::vector<double> sums(p.size());
    std::partial_sum(p.begin(), p.end(), sums.begin());
    const double total = sums.back();
    for (double& sum : sums)
        sum /= total;
    std::vector<std::uint32_t> drawn(size);
    for (std::uint32_t& item : drawn)
        item = static_cast<std::uint32_t>(std::upper_bound(sums.begin(), sums.end(), uniform()) -
                                          sums.begin());
    return drawn;
}

void NumpyRandom::shuffle(std::span<std::uint32_t> items)
{
    if (items.empty())
        return;
    // Draws are rejected too often, and too irregularly, to branch on: a rejected one swaps an item
    // with itself.
    std::uint32_t* const a = items.data();
    for (auto i = static_cast<std::uint32_t>(items.size() - 1); i > 0;) {
        const std::uint32_t mask = ~0U >> std::countl_zero(i);
        for (const std::uint32_t smallest = mask >> 1; i > smallest;) {
            const std::uint32_t draw = generator_.next() & mask;
            const std::uint32_t j = draw <= i ? draw : i;
            const std::uint32_t item = a[i];
            a[i] = a[j];
            a[j] = item;
            i -= static_cast<std::uint32_t>(draw <= i);
        }
    }
}

std::vector<std::uint32_t> NumpyRandom::permutation(std::size_t count)
{
    std::vector<std::uint32_t> items(count);
    permutation(items);
    return items;
}

void NumpyRandom::permutation(std::span<std::uint32_t> out)
{
    std::iota(out.begin(), out.end(), 0U);
    shuffle(out);
}

std::uint32_t PythonRandom::below(std::uint32_t count)
{
    std::uint32_t value = bits(std::bit_width(count));
    while (value >= count)
        value = bits(std::bit_width(count));
    return value;
}

std::vector<std::uint32_t> PythonRandom::sample(std::uint32_t count, std::uint32_t size)
{
    // Python keeps a set of those drawn where it takes less memory than the pool would.
    std::uint64_t set_size = 21;
    if (size > 5)
        set_size += std::uint64_t{1}
                    << 2 * std::lround(std::ceil(std::log(3.0 * size) / std::log(4.0)));
    std::vector<std::uint32_t> drawn(size);
    if (count <= set_size) {
        std::vector<std::uint32_t> pool(count);
        std::iota(pool.begin(), pool.end(), 0U);
        for (std::uint32_t i = 0; i < size; ++i) {
            std::uint32_t& place = pool[below(count - i)];
            drawn[i] = place;
            place = pool[count - i - 1];
        }
        return drawn;
    }
    std::vector<bool> taken(count);
    for (std::uint32_t& item : drawn) {
        do
            item = below(count);
        while (taken[item]);
        taken[item] = true;
    }
    return drawn;
}

std::vector<std::uint32_t> PythonRandom::choices(std::uint32_t count, std::size_t size)
{
    std::vector<std::uint32_t> drawn(size);
    for (std::uint32_t& item : drawn)
        item = static_cast<std::uint32_t>(uniform() * count);
    return drawn;
}

namespace {

/// numpy.random.SeedSequence(seed).generate_state(8), after M. O'Neill's seed_seq (2015).
std::array<std::uint32_t, 8> seed_sequence(std::uint32_t seed)
{
    std::uint32_t constant = 0x43B0D7E5U;
    const auto hashed = [&constant](std::uint32_t value, std::uint32_t factor) {
        value ^= constant;
        constant *= factor;
        value *= constant;
        return value ^ (value >> 16);
    };
    std::array<std::uint32_t, 4> pool{seed};
    for (std::uint32_t& word : pool)
        word = hashed(word, 0x931E8875U);
    for (std::size_t from = 0; from < pool.size(); ++from)
        for (std::size_t to = 0; to < pool.size(); ++to)
            if (from != to) {
                const std::uint32_t mixed =
                    0xCA01F9DDU * pool[to] - 0x4973F715U * hashed(pool[from], 0x931E8875U);
                pool[to] = mixed ^ (mixed >> 16);
            }
    constant = 0x8B51F9DDU;
    std::array<std::uint32_t, 8> state{};
    for (std::size_t i = 0; i < state.size(); ++i)
        state[i] = hashed(pool[i % pool.size()], 0x58F38DEDU);
    return state;
}

} // namespace

NumpyGenerator::NumpyGenerator(std::uint32_t seed)
{
    const std::array<std::uint32_t, 8> words = seed_sequence(seed);
    const auto wide = [&words](std::size_t at) { // of 64-bit numbers, the higher one first
        const State high = State{words[at + 1]} << 32 | words[at];
        return high << 64 | State{words[at + 3]} << 32 | words[at + 2];
    };
    increment_ = wide(4) << 1 | 1;
    state_ = increment_ + wide(0);
    next();
}

std::uint64_t NumpyGenerator::next()
{
    constexpr State factor = State{2549297995355413924U} << 64 | 4865540595714422341U;
    state_ = state_ * factor + increment_;
    const auto folded = static_cast<std::uint64_t>(state_ >> 64 ^ state_);
    return std::rotr(folded, static_cast<int>(state_ >> 122));
}

std::uint32_t NumpyGenerator::next_half()
{
    has_half_ = !has_half_;
    if (!has_half_)
        return half_;
    const std::uint64_t both = next();
    half_ = static_cast<std::uint32_t>(both >> 32);
    return static_cast<std::uint32_t>(both);
}

void NumpyGenerator::shuffle(std::span<std::uint32_t> items)
{
    for (std::size_t i = items.size(); i-- > 1;) {
        const std::uint32_t mask = ~0U >> std::countl_zero(static_cast<std::uint32_t>(i));
        std::uint32_t j = next_half() & mask;
        while (j > i)
            j = next_half() & mask;
        std::swap(items[i], items[j]);
    }
}

float TorchRandom::uniform(float low, float width)
{
    const float u = static_cast<float>(generator_.next() & 0xFFFFFFU) * 0x1p-24F;
    return std::fma(u, width, low);
}

void TorchRandom::linear(std::size_t inputs, std::size_t outputs, float* out, std::size_t stride)
{
    const double root = std::sqrt(static_cast<double>(inputs));
    // torch derives the weights' bound from a gain, which can differ from 1 / root in the last digit.
    const auto weight_bound = static_cast<float>(std::sqrt(3.0) * (std::sqrt(2.0 / 6.0) / root));
    const auto bias_bound = static_cast<float>(1.0 / root);
    for (std::size_t k = 0; k < outputs; ++k)
        for (std::size_t f = 0; f < inputs; ++f)
            out[k * stride + f] = uniform(-weight_bound, weight_bound - -weight_bound);
    for (std::size_t k = 0; k < outputs; ++k)
        out[k * stride + inputs] = uniform(-bias_bound, bias_bound - -bias_bound);
}

void TorchRandom::keep(double p, std::span<std::uint8_t> out)
{
    for (std::uint8_t& kept : out) {
        const std::uint64_t high = generator_.next();
        const std::uint64_t bits = (high << 32 | generator_.next()) & ((1ULL << 53) - 1);
        kept = static_cast<double>(bits) * 0x1p-53 < 1 - p ? 1 : 0;
    }
}

} // namespace senteval::learn
