#include "paragram_model/composition.hpp"

#include "paragram_model/elementwise.hpp"
#include "paragram_model/gemm.hpp"

#include <algorithm>

namespace senteval::paragram {

template <typename T>
Layers<T>::Layers(const Architecture& architecture)
    : architecture_(architecture), parameters_(parameters_of(architecture))
{
}

template <typename T>
void Layers<T>::forward(std::span<const T> parameters,
                        const T* inputs,
                        std::size_t rows,
                        T* outputs)
{
    values_.resize(parameters_.size() / 2);
    for (std::size_t layer = 0; layer < values_.size(); ++layer) {
        const Parameter& weights = parameters_[2 * layer];
        std::vector<T>& values = values_[layer];
        values.resize(rows * weights.rows);
        multiply(Product<T>{.form_b = Form::transposed,
                            .m = rows,
                            .n = weights.rows,
                            .k = weights.columns,
                            .a = inputs,
                            .stride_a = weights.columns,
                            .b = at(parameters, 2 * layer),
                            .stride_b = weights.columns,
                            .c = values.data(),
                            .stride_c = weights.rows});
        add_to_rows(at(parameters, 2 * layer + 1), weights.rows, values);
        activate(architecture_.activation, values);
        inputs = values.data();
    }
    std::ranges::copy(values_.back(), outputs);
}

template <typename T>
void Layers<T>::backward(std::span<const T> parameters,
                         const T* inputs,
                         std::size_t rows,
                         const T* output_gradient,
                         T* input_gradient,
                         std::span<T> gradient)
{
    above_.assign(output_gradient, output_gradient + rows * architecture_.outputs);
    for (std::size_t layer = values_.size(); layer-- > 0;) {
        const Parameter& weights = parameters_[2 * layer];
        const T* const lower = layer == 0 ? inputs : values_[layer - 1].data();
        activate_backward<T>(architecture_.activation, values_[layer], above_);
        multiply(Product<T>{.form_a = Form::transposed,
                            .m = weights.rows,
                            .n = weights.columns,
                            .k = rows,
                            .a = above_.data(),
                            .stride_a = weights.rows,
                            .b = lower,
                            .stride_b = weights.columns,
                            .c = at(gradient, 2 * layer),
                            .stride_c = weights.columns});
        sum_rows<T>(above_, weights.rows, at(gradient, 2 * layer + 1));
        below_.resize(rows * weights.columns);
        multiply(Product<T>{.m = rows,
                            .n = weights.columns,
                            .k = weights.rows,
                            .a = above_.data(),
                            .stride_a = weights.rows,
                            .b = at(parameters, 2 * layer),
                            .stride_b = weights.columns,
                            .c = below_.data(),
                            .stride_c = weights.columns});
        above_.swap(below_);
    }
    std::ranges::copy(above_, input_gradient);
}

template class Layers<float>;
template class Layers<double>;

template <typename T>
Composition<T>::Composition(const Architecture& architecture)
    : architecture_(architecture), layers_(architecture), recurrence_(architecture)
{
}

template <typename T>
void Composition<T>::forward(std::span<const T> parameters,
                             const T* inputs,
                             const Packing& packing,
                             T* outputs)
{
    if (architecture_.kind == Kind::word)
        std::copy_n(inputs, packing.sentences() * architecture_.outputs, outputs);
    else if (architecture_.is_recurrent())
        recurrence_.forward(parameters, inputs, packing, outputs);
    else
        layers_.forward(parameters, inputs, packing.sentences(), outputs);
}

template <typename T>
void Composition<T>::backward(std::span<const T> parameters,
                              const T* inputs,
                              const Packing& packing,
                              const T* output_gradient,
                              T* input_gradient,
                              std::span<T> parameter_gradient)
{
    std::ranges::fill(parameter_gradient, T{0});
    if (architecture_.kind == Kind::word)
        std::copy_n(output_gradient, packing.sentences() * architecture_.outputs, input_gradient);
    else if (architecture_.is_recurrent())
        recurrence_.backward(parameters, inputs, packing, output_gradient, input_gradient,
                             parameter_gradient);
    else
        layers_.backward(parameters, inputs, packing.sentences(), output_gradient, input_gradient,
                         parameter_gradient);
}

template class Composition<float>;
template class Composition<double>;

} // namespace senteval::paragram
