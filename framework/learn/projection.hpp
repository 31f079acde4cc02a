// projection.hpp -- a linear map onto unit vectors, trained by Adam.
#pragma once

#include "learn/aligned.hpp"
#include "learn/optimizer.hpp"
#include "learn/random.hpp"

#include <armadillo>

#include <cstddef>

namespace senteval::learn {

/// x -> W x + b, divided by its length (without an epsilon, as in the original). Inputs are columns of
/// features with a last row of ones. Large products run on `threads` threads, cut so that their
/// results do not depend on the number.
class Projection {
public:
    /// Draws the initial weights as torch's Linear(inputs, outputs).
    Projection(std::size_t inputs, std::size_t outputs, TorchRandom& random, unsigned threads);

    struct Image {
        arma::fmat unit;      ///< outputs x columns
        arma::frowvec length; ///< of each before the division
    };
    /// Into an image whose memory is used again where it is large enough: for thousands of columns the system takes
    /// as long to hand out new memory as the products take.
    void project(const arma::fmat& inputs, Image& image) const;
    [[nodiscard]] Image project(const arma::fmat& inputs) const;

    /// One step of Adam against the gradient of the loss by the unit vectors of `inputs`, which is used up.
    void step(const arma::fmat& inputs, const Image& image, arma::fmat& gradient);

    [[nodiscard]] std::size_t inputs() const noexcept { return size_ - 1; }

    /// The weights, to keep and to put back.
    [[nodiscard]] const AlignedVector<float>& weights() const noexcept { return weights_; }
    void set_weights(AlignedVector<float> weights) { weights_ = std::move(weights); }

private:
    [[nodiscard]] arma::fmat view(AlignedVector<float>& values) const;

    std::size_t size_; ///< inputs and bias
    std::size_t outputs_;
    unsigned threads_;
    Optimizer adam_{"adam"};
    std::size_t steps_ = 0;
    AlignedVector<float>
        weights_; ///< (inputs + 1) x outputs, padded at the end; likewise the others
    AlignedVector<float> gradient_;
    AlignedVector<float> first_;
    AlignedVector<float> second_;
};

} // namespace senteval::learn
