#include "annex/weights.hpp"

#include "learn/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace senteval::annex {

namespace {

void make_identity(const paragram::Parameter& parameter, std::vector<float>& weights)
{
    for (std::size_t i = 0; i < std::min(parameter.rows, parameter.columns); ++i)
        weights[parameter.offset + i * parameter.columns + i] = 1;
}

/// A value from -1 to 1.
double random_value(learn::Mt19937& random)
{
    return 2 * (static_cast<double>(random.next()) / 4294967296.0) - 1;
}

/// Each gate's block of rows is a matrix of its own.
void make_random(const paragram::Parameter& parameter,
                 std::size_t gates,
                 double scale,
                 learn::Mt19937& random,
                 std::vector<float>& weights)
{
    const std::size_t rows_of_a_gate = parameter.rows / gates;
    const auto fans = static_cast<double>(rows_of_a_gate + parameter.columns);
    const double bound = scale * std::sqrt(6.0 / fans);
    for (std::size_t i = 0; i < parameter.size(); ++i)
        weights[parameter.offset + i] = static_cast<float>(bound * random_value(random));
}

/// Subtracts from `row` what the rows before it hold of it, and gives it length 1.
void make_orthonormal(std::span<double> row, std::span<const double> before)
{
    for (std::size_t at = 0; at < before.size(); at += row.size()) {
        const auto other = before.subspan(at, row.size());
        const double along = std::inner_product(row.begin(), row.end(), other.begin(), 0.0);
        for (std::size_t i = 0; i < row.size(); ++i)
            row[i] -= along * other[i];
    }
    const double length = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
    for (double& value : row)
        value /= length;
}

/// Square blocks of rows, each orthogonal but for `scale`.
void make_orthogonal(const paragram::Parameter& parameter,
                     double scale,
                     learn::Mt19937& random,
                     std::vector<float>& weights)
{
    const std::size_t width = parameter.columns;
    std::vector<double> block(width * width);
    for (std::size_t begin = 0; begin < parameter.size(); begin += block.size()) {
        for (std::size_t row = 0; row < width; ++row) {
            const std::span<double> values(block.data() + row * width, width);
            std::ranges::generate(values, [&random] { return random_value(random); });
            make_orthonormal(values, {block.data(), row * width});
        }
        for (std::size_t i = 0; i < block.size(); ++i)
            weights[parameter.offset + begin + i] = static_cast<float>(scale * block[i]);
    }
}

/// Word vectors have lengths of about 5. What is added to a state at every step has to be small beside
/// 1, or the state is at the ends of tanh after some words and no more can be learnt of the words
/// before.
constexpr double input_scale = 0.3;
constexpr double state_scale = 0.9;

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
        else if (is_matrix && architecture.is_recurrent() && parameter.name == "W_h")
            make_orthogonal(parameter, state_scale, random, weights);
        else if (is_matrix)
            make_random(parameter, architecture.gates(),
                        architecture.is_recurrent() ? input_scale : 1.0, random, weights);
        else if (parameter.name == "b" && architecture.is_lstm())
            std::fill_n(weights.begin() +
                            static_cast<std::ptrdiff_t>(parameter.offset + architecture.outputs),
                        architecture.outputs, 1.0F);
    }
    return weights;
}

std::vector<float> initial_weights(const SimilarityHead<float>& head, std::uint32_t seed)
{
    std::vector<float> weights(head.parameter_count());
    learn::Mt19937 random(seed);
    for (const paragram::Parameter& parameter : head.parameters())
        if (parameter.rows > 1)
            make_random(parameter, 1, 1.0, random, weights);
    return weights;
}

} // namespace senteval::annex
