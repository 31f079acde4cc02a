// composition.hpp -- from word vectors to sentence vectors and back: forward and backward pass of every
// model, in BLAS products over batches, with single or double precision.
#pragma once

#include "paragram_model/architecture.hpp"
#include "paragram_model/recurrence.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace senteval::paragram {

/// The layers above the mean of the word vectors in projection and dan: one linear map (equation 2), or layers with
/// an activation (Iyyer et al. 2015). As Composition says, with a row of inputs for each sentence.
template <typename T>
class Layers {
public:
    explicit Layers(const Architecture& architecture);

    void forward(std::span<const T> parameters, const T* inputs, std::size_t rows, T* outputs);
    /// Adds to `gradient`.
    void backward(std::span<const T> parameters,
                  const T* inputs,
                  std::size_t rows,
                  const T* output_gradient,
                  T* input_gradient,
                  std::span<T> gradient);

private:
    [[nodiscard]] const T* at(std::span<const T> values, std::size_t parameter) const
    {
        return values.data() + parameters_[parameter].offset;
    }
    [[nodiscard]] T* at(std::span<T> values, std::size_t parameter) const
    {
        return values.data() + parameters_[parameter].offset;
    }

    Architecture architecture_;
    std::vector<Parameter> parameters_;  ///< weights and bias, layer by layer
    std::vector<std::vector<T>> values_; ///< of each layer, activated
    std::vector<T> above_;               ///< gradient of a layer's outputs
    std::vector<T> below_;               ///< and of its inputs
};

extern template class Layers<float>;
extern template class Layers<double>;

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

    /// Call after forward() with the same arguments. Replaces `input_gradient` and `parameter_gradient` by the
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
