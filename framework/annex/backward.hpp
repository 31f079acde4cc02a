// backward.hpp -- the gradient of a model's sentence vectors, with respect to its inputs and parameters.
#pragma once

#include "paragram_model/composition.hpp"
#include "paragram_model/gemm.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace senteval::annex {

/// sum += all rows, one after the other.
template <typename T>
void sum_rows(std::span<const T> matrix, std::size_t columns, T* sum)
{
    for (std::size_t at = 0; at < matrix.size(); at += columns)
        for (std::size_t i = 0; i < columns; ++i)
            sum[i] += matrix[at + i];
}

/// The gradients of inputs and weights, where `above` is that of inputs weights'. That of the weights is added.
template <typename T>
void multiply_back(const T* above,
                   const T* inputs,
                   const T* weights,
                   std::size_t rows,
                   std::size_t outputs,
                   std::size_t width,
                   T* weight_gradient,
                   T* input_gradient)
{
    using paragram::Form;
    using paragram::Product;
    paragram::multiply(Product<T>{.form_a = Form::transposed,
                                  .m = outputs,
                                  .n = width,
                                  .k = rows,
                                  .a = above,
                                  .stride_a = outputs,
                                  .b = inputs,
                                  .stride_b = width,
                                  .c = weight_gradient,
                                  .stride_c = width});
    paragram::multiply(Product<T>{.m = rows,
                                  .n = width,
                                  .k = outputs,
                                  .a = above,
                                  .stride_a = outputs,
                                  .b = weights,
                                  .stride_b = width,
                                  .c = input_gradient,
                                  .stride_c = width});
}

/// Matrices are as paragram::Composition has them. One per thread.
template <typename T>
class Backward {
public:
    explicit Backward(const paragram::Architecture& architecture);

    /// After composition.forward() with the same arguments. Replaces `input_gradient` and `parameter_gradient` by the
    /// gradient with respect to the inputs and to the parameters, where that of the outputs is given.
    void compute(const paragram::Composition<T>& composition,
                 std::span<const T> parameters,
                 const T* inputs,
                 const paragram::Packing& packing,
                 const T* output_gradient,
                 T* input_gradient,
                 std::span<T> parameter_gradient);

private:
    void layers(const paragram::Layers<T>& layers,
                std::span<const T> parameters,
                const T* inputs,
                std::size_t rows,
                const T* output_gradient,
                T* input_gradient,
                std::span<T> gradient);
    void recurrence(const paragram::Recurrence<T>& recurrence,
                    std::span<const T> parameters,
                    const T* inputs,
                    const paragram::Packing& packing,
                    const T* output_gradient,
                    T* input_gradient,
                    std::span<T> gradient);
    void begin(const paragram::Recurrence<T>& recurrence,
               const paragram::Packing& packing,
               const T* output_gradient);
    void rnn_step(const paragram::PassedStates<T>& passed,
                  const paragram::Packing& packing,
                  std::size_t step);
    void lstm_step(const paragram::PassedStates<T>& passed,
                   std::span<const T> parameters,
                   const paragram::Packing& packing,
                   std::size_t step,
                   std::span<T> gradient);
    void gather_previous(const std::vector<T>& states, const paragram::Packing& packing);

    [[nodiscard]] const T* at(std::span<const T> values, std::size_t parameter) const
    {
        return values.data() + parameters_[parameter].offset;
    }
    [[nodiscard]] T* at(std::span<T> values, std::size_t parameter) const
    {
        return values.data() + parameters_[parameter].offset;
    }

    paragram::Architecture architecture_;
    std::vector<paragram::Parameter> parameters_;
    std::vector<T> above_; ///< gradient of a layer's outputs
    std::vector<T> below_; ///< gradient of its inputs
    std::vector<T> gate_gradient_;
    std::vector<T> state_gradient_;
    std::vector<T> cell_gradient_;
    std::vector<T>
        previous_; ///< the states of the step before, of the rows from the second step on
};

extern template class Backward<float>;
extern template class Backward<double>;

} // namespace senteval::annex
