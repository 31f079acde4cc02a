#include "train/weights.hpp"

#include "learn/random.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::train {

namespace {

void make_identity(const paragram::Parameter& parameter, std::vector<float>& weights)
{
    for (std::size_t i = 0; i < std::min(parameter.rows, parameter.columns); ++i)
        weights[parameter.offset + i * parameter.columns + i] = 1;
}

/// Each gate's block of rows is a matrix of its own.
void make_random(const paragram::Parameter& parameter,
                 std::size_t gates,
                 learn::Mt19937& random,
                 std::vector<float>& weights)
{
    const auto fans = static_cast<double>(parameter.rows / gates + parameter.columns);
    const double bound = std::sqrt(6.0 / fans);
    for (std::size_t i = 0; i < parameter.size(); ++i) {
        const double unit = static_cast<double>(random.next()) / 4294967296.0;
        weights[parameter.offset + i] = static_cast<float>(bound * (2 * unit - 1));
    }
}

} // namespace

std::vector<float> initial_weights(const paragram::Architecture& architecture, std::uint32_t seed)
{
    std::vector<float> weights(paragram::parameter_count(architecture));
    learn::Mt19937 random(seed);
    for (const paragram::Parameter& parameter : paragram::parameters_of(architecture)) {
        const bool is_matrix =
            parameter.name.starts_with("W_") && !parameter.name.starts_with("W_c");
        if (is_matrix && architecture.kind == paragram::Kind::identity_rnn)
            make_identity(parameter, weights);
        else if (is_matrix)
            make_random(parameter, architecture.gates(), random, weights);
        else if (parameter.name == "b" && architecture.is_lstm())
            std::fill_n(weights.begin() +
                            static_cast<std::ptrdiff_t>(parameter.offset + architecture.outputs),
                        architecture.outputs, 1.0F);
    }
    return weights;
}

} // namespace senteval::train
