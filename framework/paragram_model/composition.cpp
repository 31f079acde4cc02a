#include "paragram_model/composition.hpp"

#include <algorithm>

namespace senteval::paragram {

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
