#include "random/recurrent.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <tuple>

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

/// Cells are large, and never change: instances with the same settings share them.
template <class C, class... Arguments>
std::shared_ptr<const Cell> shared_cell(const Arguments&... arguments)
{
    static std::mutex mutex; // of `known`
    static std::map<std::tuple<Arguments...>, std::weak_ptr<const Cell>> known;
    const std::lock_guard lock(mutex);
    std::weak_ptr<const Cell>& entry = known[{arguments...}];
    std::shared_ptr<const Cell> cell = entry.lock();
    if (!cell)
        entry = cell = std::make_shared<C>(arguments...);
    return cell;
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

Recurrent::Recurrent(const sdk::Setup& setup)
    : words_(setup),
      pooling_(pooling_from(setup.params)),
      activation_(activation_from(setup.params))
{
}

Recurrent::Recurrent(const sdk::Setup& setup, Pooling pooling)
    : words_(setup, word_vectors::CasePolicy::exact, Unknown::omit), pooling_(pooling)
{
}

std::size_t Recurrent::dimension() const
{
    std::size_t dimension = 0;
    for (const auto& cell : directions_)
        dimension += cell->units();
    return dimension;
}

/// The word vectors of a batch, one sentence after the other, and where each one's are, the longest
/// first: the sentences of a block that have not ended yet are then its first ones.
std::vector<Recurrent::Sequence>
Recurrent::read(sdk::Call& call, sdk::Batch batch, std::vector<float>& vectors) const
{
    Words::Reader reader(words_);
    std::vector<Sequence> sequences;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        call.check_cancelled();
        const std::size_t begin = vectors.size();
        const std::string text = before_ + std::string(batch[i]) + after_;
        sequences.push_back({i, begin, reader.append(text, vectors)});
    }
    std::ranges::stable_sort(sequences, std::greater(), &Sequence::length);
    return sequences;
}

void Recurrent::encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const
{
    std::vector<float> vectors;
    const std::vector<Sequence> sequences = read(call, batch, vectors);
    for (std::size_t begin = 0; begin < sequences.size(); begin += block_columns) {
        const std::size_t count = std::min(block_columns, sequences.size() - begin);
        for (std::size_t direction = 0; direction < directions_.size(); ++direction)
            run(call, direction, std::span(sequences).subspan(begin, count), vectors, out);
    }
    for (const Sequence& sequence : sequences) {
        apply(activation_, out.row(sequence.sentence));
        if (pads_ && sequence.length < sequences.front().length)
            apply(Activation::relu, out.row(sequence.sentence));
    }
}

/// Runs one direction over at most a block of sentences and writes its part of their rows.
void Recurrent::run(sdk::Call& call,
                    std::size_t direction,
                    std::span<const Sequence> sequences,
                    std::span<const float> vectors,
                    sdk::Matrix out) const
{
    const Cell& cell = *directions_[direction];
    const std::size_t units = cell.units();
    Block block(cell.weights()); // a column: a word vector, and the state below it
    arma::fmat memory(units, block_columns, arma::fill::zeros);
    std::vector<Pool> pools(sequences.size(), Pool(pooling_, units));

    std::size_t going_on = sequences.size();
    for (std::size_t step = 0; step < sequences.front().length; ++step) {
        call.check_cancelled();
        while (step >= sequences[going_on - 1].length)
            --going_on;
        for (std::size_t k = 0; k < going_on; ++k) {
            const Sequence& sequence = sequences[k];
            const std::size_t token = direction == 0 ? step : sequence.length - 1 - step;
            std::ranges::copy(vectors.subspan(sequence.begin + token * inputs(), inputs()),
                              block.input(k).begin());
        }
        block.multiply(going_on);
        for (std::size_t k = 0; k < going_on; ++k) {
            const std::span<float> state = block.input(k).subspan(inputs());
            cell.update(block.output(k), state, {memory.colptr(k), units});
            pools[k].add(state);
        }
    }
    for (std::size_t k = 0; k < sequences.size(); ++k)
        pools[k].write(out.row(sequences[k].sentence).subspan(direction * units, units));
}

Lstm::Lstm(const sdk::Setup& setup) : Recurrent(setup)
{
    const Shape shape = shape_from(setup.params);
    const Initialisation how = initialisation_from(setup.params);
    for (std::uint64_t direction = 0; direction < (shape.bidirectional ? 2U : 1U); ++direction) {
        setup.call.check_cancelled();
        add_direction(
            shared_cell<LstmCell>(inputs(), shape.units, how, seed_from(setup.params), direction));
    }
}

Esn::Esn(const sdk::Setup& setup) : Recurrent(setup)
{
    const Shape shape = shape_from(setup.params);
    const Reservoir settings{
        .spectral_radius = real_from(setup.params, "spectral_radius", 1.0, 0.0, 10.0),
        .sparsity = real_from(setup.params, "sparsity", 0.5, 0.0, 0.99),
        .input_scale = real_from(setup.params, "input_scale", 0.1, 0.0, 100.0),
        .leak = real_from(setup.params, "leak", 0.0, 0.0, 0.99),
        .activation = activation_from(setup.params, "state_activation"),
    };
    for (std::uint64_t direction = 0; direction < (shape.bidirectional ? 2U : 1U); ++direction) {
        setup.call.check_cancelled();
        add_direction(shared_cell<EsnCell>(inputs(), shape.units, settings, seed_from(setup.params),
                                           direction));
    }
}

} // namespace senteval::random
