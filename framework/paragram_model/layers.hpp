// layers.hpp -- what stands above the mean of the word vectors: one linear map (equation 2), or layers with
// an activation (Iyyer et al. 2015).
#pragma once

#include "paragram_model/architecture.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace senteval::paragram {

/// Of projection and dan. As composition.hpp says, with a row of inputs for each sentence.
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

} // namespace senteval::paragram
