// recurrence.hpp -- the models that read a sentence word by word (equations 3 to 10).
#pragma once

#include "paragram_model/architecture.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::paragram {

/// Places of the tokens of a batch of sentences among the rows of its inputs: all first tokens, then all second ones,
/// and so on, longer sentences before shorter ones. A step's input is then one block, and its sentences are the first
/// ones of the step before.
struct Packing {
    std::vector<std::uint32_t> rank;   ///< of each sentence, within every step
    std::vector<std::uint32_t> length; ///< tokens of each sentence, at least 1
    std::vector<std::uint32_t> offset; ///< of each step, its first row; and the number of rows

    /// Replaces it by that of sentences of these lengths, each at least 1.
    void assign(std::span<const std::uint32_t> lengths);

    [[nodiscard]] std::size_t sentences() const noexcept { return length.size(); }
    [[nodiscard]] std::size_t steps() const noexcept
    {
        return offset.empty() ? 0 : offset.size() - 1;
    }
    [[nodiscard]] std::size_t rows() const noexcept { return offset.empty() ? 0 : offset.back(); }
    /// Sentences that have a token at `step`.
    [[nodiscard]] std::size_t active(std::size_t step) const noexcept
    {
        return offset[step + 1] - offset[step];
    }
    [[nodiscard]] std::size_t row(std::size_t sentence, std::size_t step) const noexcept
    {
        return offset[step] + rank[sentence];
    }
    [[nodiscard]] std::size_t last_row(std::size_t sentence) const noexcept
    {
        return row(sentence, length[sentence] - 1);
    }
};

/// The places of a recurrence's parameters in parameters_of().
enum : std::size_t {
    input_weights,
    state_weights,
    bias,
    input_peephole,
    forget_peephole,
    output_peephole
};

/// The values of a forward pass, a row for each token.
template <typename T>
struct PassedStates {
    std::vector<T> gates;    ///< of gates * outputs values, activated
    std::vector<T> states;   ///< h, of outputs values
    std::vector<T> cells;    ///< c, of an LSTM
    std::vector<T> squashed; ///< tanh(c)
};

/// Composition of rnn, identity_rnn, lstm and lstm_no_output_gate: as composition.hpp says, with a row of inputs for
/// each token.
template <typename T>
class Recurrence {
public:
    explicit Recurrence(const Architecture& architecture);

    void
    forward(std::span<const T> parameters, const T* inputs, const Packing& packing, T* outputs);
    [[nodiscard]] const PassedStates<T>& passed() const noexcept { return passed_; }

    /// The divisor of the last state.
    [[nodiscard]] T divisor(const Packing& packing, std::size_t sentence) const;

private:
    void rnn_step(const Packing& packing, std::size_t step);
    void lstm_step(std::span<const T> parameters, const Packing& packing, std::size_t step);
    [[nodiscard]] const T* at(std::span<const T> values, std::size_t parameter) const
    {
        return values.data() + parameters_[parameter].offset;
    }

    Architecture architecture_;
    std::vector<Parameter> parameters_;
    PassedStates<T> passed_;
};

extern template class Recurrence<float>;
extern template class Recurrence<double>;

} // namespace senteval::paragram
