#include "annex/backward.hpp"

#include <algorithm>

namespace senteval::annex {

namespace {

/// gradient *= derivative, where `values` have been activated.
template <typename T>
void activate_back(paragram::Activation activation,
                   std::span<const T> values,
                   std::span<T> gradient)
{
    if (activation == paragram::Activation::tanh)
        for (std::size_t i = 0; i < values.size(); ++i)
            gradient[i] *= 1 - values[i] * values[i];
    else if (activation == paragram::Activation::relu)
        for (std::size_t i = 0; i < values.size(); ++i)
            gradient[i] = values[i] > 0 ? gradient[i] : 0;
}

} // namespace

template <typename T>
Backward<T>::Backward(const paragram::Architecture& architecture)
    : architecture_(architecture), parameters_(paragram::parameters_of(architecture))
{
}

template <typename T>
void Backward<T>::compute(const paragram::Composition<T>& composition,
                          std::span<const T> parameters,
                          const T* inputs,
                          const paragram::Packing& packing,
                          const T* output_gradient,
                          T* input_gradient,
                          std::span<T> parameter_gradient)
{
    std::ranges::fill(parameter_gradient, T{0});
    if (architecture_.kind == paragram::Kind::word)
        std::copy_n(output_gradient, packing.sentences() * architecture_.outputs, input_gradient);
    else if (architecture_.is_recurrent())
        recurrence(composition.recurrence(), parameters, inputs, packing, output_gradient,
                   input_gradient, parameter_gradient);
    else
        layers(composition.layers(), parameters, inputs, packing.sentences(), output_gradient,
               input_gradient, parameter_gradient);
}

template <typename T>
void Backward<T>::layers(const paragram::Layers<T>& layers,
                         std::span<const T> parameters,
                         const T* inputs,
                         std::size_t rows,
                         const T* output_gradient,
                         T* input_gradient,
                         std::span<T> gradient)
{
    const auto& values = layers.values();
    above_.assign(output_gradient, output_gradient + rows * architecture_.outputs);
    for (std::size_t layer = values.size(); layer-- > 0;) {
        const paragram::Parameter& weights = parameters_[2 * layer];
        const T* const lower = layer == 0 ? inputs : values[layer - 1].data();
        activate_back<T>(architecture_.activation, values[layer], above_);
        sum_rows<T>(above_, weights.rows, at(gradient, 2 * layer + 1));
        below_.resize(rows * weights.columns);
        multiply_back(above_.data(), lower, at(parameters, 2 * layer), rows, weights.rows,
                      weights.columns, at(gradient, 2 * layer), below_.data());
        above_.swap(below_);
    }
    std::ranges::copy(above_, input_gradient);
}

template <typename T>
void Backward<T>::recurrence(const paragram::Recurrence<T>& recurrence,
                             std::span<const T> parameters,
                             const T* inputs,
                             const paragram::Packing& packing,
                             const T* output_gradient,
                             T* input_gradient,
                             std::span<T> gradient)
{
    const std::size_t width = architecture_.outputs;
    const std::size_t gate_width = architecture_.gates() * width;
    const paragram::PassedStates<T>& passed = recurrence.passed();
    begin(recurrence, packing, output_gradient);
    for (std::size_t step = packing.steps(); step-- > 0;) {
        if (architecture_.is_lstm())
            lstm_step(passed, parameters, packing, step, gradient);
        else
            rnn_step(passed, packing, step);
        if (step > 0)
            paragram::multiply(
                paragram::Product<T>{.m = packing.active(step),
                                     .n = width,
                                     .k = gate_width,
                                     .a = gate_gradient_.data() + packing.offset[step] * gate_width,
                                     .stride_a = gate_width,
                                     .b = at(parameters, paragram::state_weights),
                                     .stride_b = width,
                                     .c = state_gradient_.data() + packing.offset[step - 1] * width,
                                     .stride_c = width,
                                     .scale_c = 1});
    }
    multiply_back(gate_gradient_.data(), inputs, at(parameters, paragram::input_weights),
                  packing.rows(), gate_width, architecture_.inputs,
                  at(gradient, paragram::input_weights), input_gradient);
    gather_previous(passed.states, packing);
    const std::size_t first =
        packing.steps() > 0 ? packing.active(0) : 0; // they have no step before
    paragram::multiply(paragram::Product<T>{.form_a = paragram::Form::transposed,
                                            .m = gate_width,
                                            .n = width,
                                            .k = packing.rows() - first,
                                            .a = gate_gradient_.data() + first * gate_width,
                                            .stride_a = gate_width,
                                            .b = previous_.data(),
                                            .stride_b = width,
                                            .c = at(gradient, paragram::state_weights),
                                            .stride_c = width});
    sum_rows<T>(gate_gradient_, gate_width, at(gradient, paragram::bias));
}

template <typename T>
void Backward<T>::begin(const paragram::Recurrence<T>& recurrence,
                        const paragram::Packing& packing,
                        const T* output_gradient)
{
    const std::size_t width = architecture_.outputs;
    const paragram::PassedStates<T>& passed = recurrence.passed();
    gate_gradient_.resize(passed.gates.size());
    state_gradient_.assign(passed.states.size(), T{0});
    if (architecture_.is_lstm())
        cell_gradient_.assign(passed.states.size(), T{0});
    for (std::size_t sentence = 0; sentence < packing.sentences(); ++sentence) {
        for (std::size_t i = 0; i < width; ++i)
            state_gradient_[packing.last_row(sentence) * width + i] =
                output_gradient[sentence * width + i] / recurrence.divisor(packing, sentence);
    }
}

template <typename T>
void Backward<T>::gather_previous(const std::vector<T>& states, const paragram::Packing& packing)
{
    const std::size_t width = architecture_.outputs;
    previous_.clear();
    for (std::size_t step = 1; step < packing.steps(); ++step) {
        const T* const begin = states.data() + packing.offset[step - 1] * width;
        previous_.insert(previous_.end(), begin, begin + packing.active(step) * width);
    }
}

template <typename T>
void Backward<T>::rnn_step(const paragram::PassedStates<T>& passed,
                           const paragram::Packing& packing,
                           std::size_t step)
{
    const std::size_t begin = packing.offset[step] * architecture_.outputs;
    const std::size_t size = packing.active(step) * architecture_.outputs;
    std::copy_n(state_gradient_.data() + begin, size, gate_gradient_.data() + begin);
    activate_back<T>(architecture_.activation, std::span(passed.states).subspan(begin, size),
                     std::span(gate_gradient_).subspan(begin, size));
}

template <typename T>
void Backward<T>::lstm_step(const paragram::PassedStates<T>& passed,
                            std::span<const T> parameters,
                            const paragram::Packing& packing,
                            std::size_t step,
                            std::span<T> gradient)
{
    const std::size_t width = architecture_.outputs;
    const bool has_output_gate = architecture_.kind == paragram::Kind::lstm;
    const T* const to_input = at(parameters, paragram::input_peephole);
    const T* const to_forget = at(parameters, paragram::forget_peephole);
    const T* const to_output =
        has_output_gate ? at(parameters, paragram::output_peephole) : nullptr;
    for (std::size_t sentence = 0; sentence < packing.active(step); ++sentence) {
        const std::size_t row = packing.offset[step] + sentence;
        const T* const gates = passed.gates.data() + row * architecture_.gates() * width;
        T* const slope = gate_gradient_.data() + row * architecture_.gates() * width;
        const std::size_t before =
            step == 0 ? 0 : (packing.offset[step - 1] + sentence) * width; // of the step before
        for (std::size_t i = 0; i < width; ++i) {
            const std::size_t here = row * width + i;
            const T previous = step == 0 ? T{0} : passed.cells[before + i];
            const T input = gates[i];
            const T forget = gates[width + i];
            const T candidate = gates[2 * width + i];
            const T squashed = passed.squashed[here];
            const T output = has_output_gate ? gates[3 * width + i] : T{1};
            const T state = state_gradient_[here];
            T cell = cell_gradient_[here] + state * output * (1 - squashed * squashed);
            if (has_output_gate) {
                const T opening = state * squashed * output * (1 - output);
                slope[3 * width + i] = opening;
                cell += opening * to_output[i];
                at(gradient, paragram::output_peephole)[i] += opening * passed.cells[here];
            }
            slope[i] = cell * candidate * input * (1 - input);
            slope[width + i] = cell * previous * forget * (1 - forget);
            slope[2 * width + i] = cell * input * (1 - candidate * candidate);
            if (step == 0)
                continue;
            at(gradient, paragram::input_peephole)[i] += slope[i] * previous;
            at(gradient, paragram::forget_peephole)[i] += slope[width + i] * previous;
            cell_gradient_[before + i] +=
                cell * forget + slope[i] * to_input[i] + slope[width + i] * to_forget[i];
        }
    }
}

template class Backward<float>;
template class Backward<double>;

} // namespace senteval::annex
