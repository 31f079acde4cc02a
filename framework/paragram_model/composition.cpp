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
                            .b = parameters.data() + weights.offset,
                            .stride_b = weights.columns,
                            .c = values.data(),
                            .stride_c = weights.rows});
        add_to_rows(parameters.data() + parameters_[2 * layer + 1].offset, weights.rows, values);
        activate(architecture_.activation, values);
        inputs = values.data();
    }
    std::ranges::copy(values_.back(), outputs);
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

template class Composition<float>;
template class Composition<double>;

} // namespace senteval::paragram
