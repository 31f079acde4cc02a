// composition.hpp -- from word vectors to sentence vectors and back: forward and backward pass of every
// model, in BLAS products over batches, with single or double precision.
#pragma once

#include "paragram_model/architecture.hpp"
#include "paragram_model/layers.hpp"
#include "paragram_model/packing.hpp"
#include "paragram_model/recurrence.hpp"

#include <span>

namespace senteval::paragram {

/// Matrices are row-major and dense. `inputs` has a row of Architecture::inputs values for each sentence
/// (the mean of its word vectors; `packing` is not looked at but for their number) or, where the model is
/// recurrent, for each token, as `packing` places them. `outputs` has a row of Architecture::outputs values
/// for each sentence.
///
/// Keeps what the backward pass needs of the last forward pass: one per thread.
template <typename T>
class Composition {
public:
    explicit Composition(const Architecture& architecture);

    [[nodiscard]] const Architecture& architecture() const noexcept { return architecture_; }

    void
    forward(std::span<const T> parameters, const T* inputs, const Packing& packing, T* outputs);

    /// After forward() with the same arguments. Replaces `input_gradient` and `parameter_gradient` by the
    /// gradient with respect to the inputs and to the parameters, where that of the outputs is given.
    void backward(std::span<const T> parameters,
                  const T* inputs,
                  const Packing& packing,
                  const T* output_gradient,
                  T* input_gradient,
                  std::span<T> parameter_gradient);

private:
    Architecture architecture_;
    Layers<T> layers_;
    Recurrence<T> recurrence_;
};

extern template class Composition<float>;
extern template class Composition<double>;

} // namespace senteval::paragram
