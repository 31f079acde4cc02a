// composition.hpp -- from word vectors to sentence vectors: every model, in BLAS products over batches, with single or
// double precision.
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
    /// The values of each layer, activated, after forward().
    [[nodiscard]] const std::vector<std::vector<T>>& values() const noexcept { return values_; }

private:
    Architecture architecture_;
    std::vector<Parameter> parameters_;  ///< weights and bias, layer by layer
    std::vector<std::vector<T>> values_; ///< of each layer, activated
};

extern template class Layers<float>;
extern template class Layers<double>;

/// Matrices are row-major and dense. `inputs` has a row of Architecture::inputs values for each sentence
/// (the mean of its word vectors; `packing` is not looked at but for their number) or, where the model is
/// recurrent, for each token, as `packing` places them. `outputs` has a row of Architecture::outputs values
/// for each sentence.
///
/// Keeps what a gradient needs of the last forward pass: one per thread.
template <typename T>
class Composition {
public:
    explicit Composition(const Architecture& architecture);

    [[nodiscard]] const Architecture& architecture() const noexcept { return architecture_; }

    void
    forward(std::span<const T> parameters, const T* inputs, const Packing& packing, T* outputs);

    [[nodiscard]] const Layers<T>& layers() const noexcept { return layers_; }
    [[nodiscard]] const Recurrence<T>& recurrence() const noexcept { return recurrence_; }

private:
    Architecture architecture_;
    Layers<T> layers_;
    Recurrence<T> recurrence_;
};

extern template class Composition<float>;
extern template class Composition<double>;

} // namespace senteval::paragram
