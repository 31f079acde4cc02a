#include "learn/random.hpp"

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
