#include "random/cell.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::random {
namespace {

/// Streams of one direction of a model.
constexpr std::uint64_t streams_per_direction = 4;

RandomStream stream(std::uint64_t seed, std::uint64_t direction, std::uint64_t number)
{
    return {seed, direction * streams_per_direction + number};
}

float sigmoid(float x)
{
    return 1 / (1 + std::exp(-x));
}

arma::fmat lstm_weights(std::size_t inputs,
                        std::size_t units,
                        Initialisation how,
                        std::uint64_t seed,
                        std::uint64_t direction)
{
    const std::size_t gates = 4 * units;
    const double bound = 1 / std::sqrt(static_cast<double>(units));
    const auto draw = [&](std::size_t columns, std::uint64_t number) {
        RandomStream random = stream(seed, direction, number);
        return how == Initialisation::standard ? draw_uniform(gates, columns, bound, random)
                                               : draw_matrix(gates, columns, how, random);
    };
    return arma::join_rows(draw(inputs, 0), draw(units, 1));
}

arma::fmat esn_weights(std::size_t inputs,
                       std::size_t units,
                       const Reservoir& settings,
                       std::uint64_t seed,
                       std::uint64_t direction)
{
    RandomStream random = stream(seed, direction, 0);
    arma::fmat recurrent = draw_uniform(units, units, 0.5, random);
    make_sparse(recurrent, settings.sparsity, random);
    if (const double radius = spectral_radius(recurrent); radius > 0)
        recurrent *= static_cast<float>(settings.spectral_radius / radius);
    random = stream(seed, direction, 1);
    return arma::join_rows(draw_uniform(units, inputs, settings.input_scale, random), recurrent);
}

} // namespace

LstmCell::LstmCell(std::size_t inputs,
                   std::size_t units,
                   Initialisation how,
                   std::uint64_t seed,
                   std::uint64_t direction)
    : weights_(lstm_weights(inputs, units, how, seed, direction))
{
    RandomStream random = stream(seed, direction, 2);
    const double bound = 1 / std::sqrt(static_cast<double>(units));
    const arma::fmat biases = draw_uniform(4 * units, 2, bound, random);
    bias_ = biases.col(0) + biases.col(1);
}

void LstmCell::update(std::span<const float> product,
                      std::span<float> state,
                      std::span<float> memory) const
{
    const std::size_t n = state.size();
    const auto gate = [&](std::size_t number, std::size_t k) {
        return product[number * n + k] + bias_[number * n + k];
    };
    for (std::size_t k = 0; k < n; ++k) {
        memory[k] = sigmoid(gate(1, k)) * memory[k] + sigmoid(gate(0, k)) * std::tanh(gate(2, k));
        state[k] = sigmoid(gate(3, k)) * std::tanh(memory[k]);
    }
}

EsnCell::EsnCell(std::size_t inputs,
                 std::size_t units,
                 const Reservoir& settings,
                 std::uint64_t seed,
                 std::uint64_t direction)
    : weights_(esn_weights(inputs, units, settings, seed, direction)),
      leak_(static_cast<float>(settings.leak)),
      activation_(settings.activation)
{
}

void EsnCell::update(std::span<const float> product,
                     std::span<float> state,
                     std::span<float> memory) const
{
    std::ranges::copy(product, memory.begin());
    apply(activation_, memory);
    for (std::size_t k = 0; k < state.size(); ++k)
        state[k] = (1 - leak_) * memory[k] + leak_ * state[k];
}

} // namespace senteval::random
