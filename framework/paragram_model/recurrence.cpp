#include "paragram_model/recurrence.hpp"

#include "paragram_model/elementwise.hpp"
#include "paragram_model/gemm.hpp"

#include <algorithm>
#include <numeric>

namespace senteval::paragram {

void Packing::assign(std::span<const std::uint32_t> lengths)
{
    length.assign(lengths.begin(), lengths.end());
    std::vector<std::uint32_t> order(length.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return length[a] > length[b]; });
    rank.resize(length.size());
    for (std::uint32_t place = 0; place < order.size(); ++place)
        rank[order[place]] = place;
    offset.assign(1, 0);
    const std::size_t steps = order.empty() ? 0 : length[order.front()];
    std::size_t active = order.size();
    for (std::size_t step = 0; step < steps; ++step) {
        while (active > 0 && length[order[active - 1]] <= step)
            --active;
        offset.push_back(offset.back() + static_cast<std::uint32_t>(active));
    }
}

namespace {

/// The places of a recurrence's parameters in parameters_of().
enum : std::size_t {
    input_weights,
    state_weights,
    bias,
    input_peephole,
    forget_peephole,
    output_peephole
};

} // namespace

template <typename T>
Recurrence<T>::Recurrence(const Architecture& architecture)
    : architecture_(architecture), parameters_(parameters_of(architecture))
{
}

template <typename T>
void Recurrence<T>::forward(std::span<const T> parameters,
                            const T* inputs,
                            const Packing& packing,
                            T* outputs)
{
    const std::size_t width = architecture_.outputs;
    const std::size_t gate_width = architecture_.gates() * width;
    gates_.resize(packing.rows() * gate_width);
    states_.resize(packing.rows() * width);
    if (architecture_.is_lstm()) {
        cells_.resize(states_.size());
        squashed_.resize(states_.size());
    }
    multiply(Product<T>{.form_b = Form::transposed,
                        .m = packing.rows(),
                        .n = gate_width,
                        .k = architecture_.inputs,
                        .a = inputs,
                        .stride_a = architecture_.inputs,
                        .b = at(parameters, input_weights),
                        .stride_b = architecture_.inputs,
                        .c = gates_.data(),
                        .stride_c = gate_width});
    add_to_rows(at(parameters, bias), gate_width, gates_);
    for (std::size_t step = 0; step < packing.steps(); ++step) {
        if (step > 0)
            multiply(Product<T>{.form_b = Form::transposed,
                                .m = packing.active(step),
                                .n = gate_width,
                                .k = width,
                                .a = states_.data() + packing.offset[step - 1] * width,
                                .stride_a = width,
                                .b = at(parameters, state_weights),
                                .stride_b = width,
                                .c = gates_.data() + packing.offset[step] * gate_width,
                                .stride_c = gate_width,
                                .scale_c = 1});
        if (architecture_.is_lstm())
            lstm_step(parameters, packing, step);
        else
            rnn_step(packing, step);
    }
    for (std::size_t sentence = 0; sentence < packing.sentences(); ++sentence) {
        const T* const last = states_.data() + packing.last_row(sentence) * width;
        for (std::size_t i = 0; i < width; ++i)
            outputs[sentence * width + i] = last[i] / divisor(packing, sentence);
    }
}

template <typename T>
std::span<T> Recurrence<T>::copy_step(const Packing& packing,
                                      std::size_t step,
                                      const std::vector<T>& from,
                                      std::vector<T>& to) const
{
    const std::size_t begin = packing.offset[step] * architecture_.outputs;
    const std::size_t size = packing.active(step) * architecture_.outputs;
    std::copy_n(from.data() + begin, size, to.data() + begin);
    return std::span(to).subspan(begin, size);
}

template <typename T>
void Recurrence<T>::rnn_step(const Packing& packing, std::size_t step)
{
    activate(architecture_.activation, copy_step(packing, step, gates_, states_));
}

template <typename T>
void Recurrence<T>::lstm_step(std::span<const T> parameters,
                              const Packing& packing,
                              std::size_t step)
{
    const std::size_t width = architecture_.outputs;
    const bool has_output_gate = architecture_.kind == Kind::lstm;
    const T* const to_input = at(parameters, input_peephole);
    const T* const to_forget = at(parameters, forget_peephole);
    const T* const to_output = has_output_gate ? at(parameters, output_peephole) : nullptr;
    for (std::size_t sentence = 0; sentence < packing.active(step); ++sentence) {
        const std::size_t row = packing.offset[step] + sentence;
        T* const gates = gates_.data() + row * architecture_.gates() * width;
        const T* const before =
            step == 0 ? nullptr : cells_.data() + (packing.offset[step - 1] + sentence) * width;
        for (std::size_t i = 0; i < width; ++i) {
            const T previous = before == nullptr ? T{0} : before[i];
            T& input = gates[i];
            T& forget = gates[width + i];
            T& candidate = gates[2 * width + i];
            input = sigmoid(input + to_input[i] * previous);
            forget = sigmoid(forget + to_forget[i] * previous);
            candidate = std::tanh(candidate);
            const T cell = forget * previous + input * candidate;
            const T squashed = std::tanh(cell);
            T output = 1;
            if (has_output_gate) {
                output = sigmoid(gates[3 * width + i] + to_output[i] * cell);
                gates[3 * width + i] = output;
            }
            cells_[row * width + i] = cell;
            squashed_[row * width + i] = squashed;
            states_[row * width + i] = output * squashed;
        }
    }
}

template <typename T>
void Recurrence<T>::backward(std::span<const T> parameters,
                             const T* inputs,
                             const Packing& packing,
                             const T* output_gradient,
                             T* input_gradient,
                             std::span<T> gradient)
{
    const std::size_t width = architecture_.outputs;
    const std::size_t gate_width = architecture_.gates() * width;
    const std::size_t inputs_width = architecture_.inputs;
    begin_backward(packing, output_gradient);
    for (std::size_t step = packing.steps(); step-- > 0;) {
        if (architecture_.is_lstm())
            lstm_step_back(parameters, packing, step, gradient);
        else
            rnn_step_back(packing, step);
        if (step > 0)
            multiply(Product<T>{.m = packing.active(step),
                                .n = width,
                                .k = gate_width,
                                .a = gate_gradient_.data() + packing.offset[step] * gate_width,
                                .stride_a = gate_width,
                                .b = at(parameters, state_weights),
                                .stride_b = width,
                                .c = state_gradient_.data() + packing.offset[step - 1] * width,
                                .stride_c = width,
                                .scale_c = 1});
    }
    multiply(Product<T>{.m = packing.rows(),
                        .n = inputs_width,
                        .k = gate_width,
                        .a = gate_gradient_.data(),
                        .stride_a = gate_width,
                        .b = at(parameters, input_weights),
                        .stride_b = inputs_width,
                        .c = input_gradient,
                        .stride_c = inputs_width});
    multiply(Product<T>{.form_a = Form::transposed,
                        .m = gate_width,
                        .n = inputs_width,
                        .k = packing.rows(),
                        .a = gate_gradient_.data(),
                        .stride_a = gate_width,
                        .b = inputs,
                        .stride_b = inputs_width,
                        .c = at(gradient, input_weights),
                        .stride_c = inputs_width});
    gather_previous_states(packing);
    const std::size_t first =
        packing.steps() > 0 ? packing.active(0) : 0; // they have no step before
    multiply(Product<T>{.form_a = Form::transposed,
                        .m = gate_width,
                        .n = width,
                        .k = packing.rows() - first,
                        .a = gate_gradient_.data() + first * gate_width,
                        .stride_a = gate_width,
                        .b = previous_.data(),
                        .stride_b = width,
                        .c = at(gradient, state_weights),
                        .stride_c = width});
    sum_rows<T>(gate_gradient_, gate_width, at(gradient, bias));
}

template <typename T>
T Recurrence<T>::divisor(const Packing& packing, std::size_t sentence) const
{
    return architecture_.kind == Kind::identity_rnn ? static_cast<T>(packing.length[sentence])
                                                    : T{1};
}

template <typename T>
void Recurrence<T>::begin_backward(const Packing& packing, const T* output_gradient)
{
    const std::size_t width = architecture_.outputs;
    gate_gradient_.resize(gates_.size());
    state_gradient_.assign(states_.size(), T{0});
    if (architecture_.is_lstm())
        cell_gradient_.assign(states_.size(), T{0});
    for (std::size_t sentence = 0; sentence < packing.sentences(); ++sentence) {
        for (std::size_t i = 0; i < width; ++i)
            state_gradient_[packing.last_row(sentence) * width + i] =
                output_gradient[sentence * width + i] / divisor(packing, sentence);
    }
}

template <typename T>
void Recurrence<T>::gather_previous_states(const Packing& packing)
{
    const std::size_t width = architecture_.outputs;
    previous_.clear();
    for (std::size_t step = 1; step < packing.steps(); ++step) {
        const T* const begin = states_.data() + packing.offset[step - 1] * width;
        previous_.insert(previous_.end(), begin, begin + packing.active(step) * width);
    }
}

template <typename T>
void Recurrence<T>::rnn_step_back(const Packing& packing, std::size_t step)
{
    const std::span<T> gradient = copy_step(packing, step, state_gradient_, gate_gradient_);
    activate_backward<T>(
        architecture_.activation,
        {states_.data() + packing.offset[step] * architecture_.outputs, gradient.size()}, gradient);
}

template <typename T>
void Recurrence<T>::lstm_step_back(std::span<const T> parameters,
                                   const Packing& packing,
                                   std::size_t step,
                                   std::span<T> gradient)
{
    const std::size_t width = architecture_.outputs;
    const bool has_output_gate = architecture_.kind == Kind::lstm;
    const T* const to_input = at(parameters, input_peephole);
    const T* const to_forget = at(parameters, forget_peephole);
    const T* const to_output = has_output_gate ? at(parameters, output_peephole) : nullptr;
    for (std::size_t sentence = 0; sentence < packing.active(step); ++sentence) {
        const std::size_t row = packing.offset[step] + sentence;
        const T* const gates = gates_.data() + row * architecture_.gates() * width;
        T* const slope = gate_gradient_.data() + row * architecture_.gates() * width;
        const std::size_t before =
            step == 0 ? 0 : (packing.offset[step - 1] + sentence) * width; // of the step before
        for (std::size_t i = 0; i < width; ++i) {
            const std::size_t here = row * width + i;
            const T previous = step == 0 ? T{0} : cells_[before + i];
            const T input = gates[i];
            const T forget = gates[width + i];
            const T candidate = gates[2 * width + i];
            const T squashed = squashed_[here];
            const T output = has_output_gate ? gates[3 * width + i] : T{1};
            const T state = state_gradient_[here];
            T cell = cell_gradient_[here] + state * output * (1 - squashed * squashed);
            if (has_output_gate) {
                const T opening = state * squashed * output * (1 - output);
                slope[3 * width + i] = opening;
                cell += opening * to_output[i];
                at(gradient, output_peephole)[i] += opening * cells_[here];
            }
            slope[i] = cell * candidate * input * (1 - input);
            slope[width + i] = cell * previous * forget * (1 - forget);
            slope[2 * width + i] = cell * input * (1 - candidate * candidate);
            if (step == 0)
                continue;
            at(gradient, input_peephole)[i] += slope[i] * previous;
            at(gradient, forget_peephole)[i] += slope[width + i] * previous;
            cell_gradient_[before + i] +=
                cell * forget + slope[i] * to_input[i] + slope[width + i] * to_forget[i];
        }
    }
}

template class Recurrence<float>;
template class Recurrence<double>;

} // namespace senteval::paragram
