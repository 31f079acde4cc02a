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
    passed_.gates.resize(packing.rows() * gate_width);
    passed_.states.resize(packing.rows() * width);
    if (architecture_.is_lstm()) {
        passed_.cells.resize(passed_.states.size());
        passed_.squashed.resize(passed_.states.size());
    }
    multiply(Product<T>{.form_b = Form::transposed,
                        .m = packing.rows(),
                        .n = gate_width,
                        .k = architecture_.inputs,
                        .a = inputs,
                        .stride_a = architecture_.inputs,
                        .b = at(parameters, input_weights),
                        .stride_b = architecture_.inputs,
                        .c = passed_.gates.data(),
                        .stride_c = gate_width});
    add_to_rows(at(parameters, bias), gate_width, passed_.gates);
    for (std::size_t step = 0; step < packing.steps(); ++step) {
        if (step > 0)
            multiply(Product<T>{.form_b = Form::transposed,
                                .m = packing.active(step),
                                .n = gate_width,
                                .k = width,
                                .a = passed_.states.data() + packing.offset[step - 1] * width,
                                .stride_a = width,
                                .b = at(parameters, state_weights),
                                .stride_b = width,
                                .c = passed_.gates.data() + packing.offset[step] * gate_width,
                                .stride_c = gate_width,
                                .scale_c = 1});
        if (architecture_.is_lstm())
            lstm_step(parameters, packing, step);
        else
            rnn_step(packing, step);
    }
    for (std::size_t sentence = 0; sentence < packing.sentences(); ++sentence) {
        const T* const last = passed_.states.data() + packing.last_row(sentence) * width;
        for (std::size_t i = 0; i < width; ++i)
            outputs[sentence * width + i] = last[i] / divisor(packing, sentence);
    }
}

template <typename T>
void Recurrence<T>::rnn_step(const Packing& packing, std::size_t step)
{
    const std::size_t begin = packing.offset[step] * architecture_.outputs;
    const std::size_t size = packing.active(step) * architecture_.outputs;
    std::copy_n(passed_.gates.data() + begin, size, passed_.states.data() + begin);
    activate(architecture_.activation, std::span(passed_.states).subspan(begin, size));
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
        T* const gates = passed_.gates.data() + row * architecture_.gates() * width;
        const T* const before =
            step == 0 ? nullptr
                      : passed_.cells.data() + (packing.offset[step - 1] + sentence) * width;
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
            passed_.cells[row * width + i] = cell;
            passed_.squashed[row * width + i] = squashed;
            passed_.states[row * width + i] = output * squashed;
        }
    }
}

template <typename T>
T Recurrence<T>::divisor(const Packing& packing, std::size_t sentence) const
{
    return architecture_.kind == Kind::identity_rnn ? static_cast<T>(packing.length[sentence])
                                                    : T{1};
}

template class Recurrence<float>;
template class Recurrence<double>;

} // namespace senteval::paragram
