// cell.hpp -- one step of a recurrent layer, as a product and what follows it.
#pragma once

#include "random/initialise.hpp"
#include "random/pooling.hpp"
#include "random/weights.hpp"

#include <armadillo>

#include <cstddef>
#include <cstdint>
#include <span>

namespace senteval::random {

/// A recurrent layer with fixed weights. Every step is one product with the input and the state
/// below each other, `weights() * [x_t; h_(t-1)]`, and an update of the state from it.
class Cell {
public:
    Cell() = default;
    Cell(const Cell&) = delete;
    Cell& operator=(const Cell&) = delete;
    Cell(Cell&&) = delete;
    Cell& operator=(Cell&&) = delete;
    virtual ~Cell() = default;

    [[nodiscard]] virtual std::size_t units() const noexcept = 0;
    /// Rows as update() wants them, x (inputs + units).
    [[nodiscard]] virtual const Weights& weights() const noexcept = 0;
    /// `state` becomes h_t and `memory`, as long, what else is carried on; both begin as zeros.
    virtual void update(std::span<const float> product,
                        std::span<float> state,
                        std::span<float> memory) const = 0;
};

/// An LSTM layer (Hochreiter and Schmidhuber 1997, with forget gates, without peepholes), gates in
/// PyTorch's order: i, f, g, o.
///
///     c_t = sigmoid(f) c_(t-1) + sigmoid(i) tanh(g)        h_t = sigmoid(o) tanh(c_t)
class LstmCell : public Cell {
public:
    /// Draws the weights. `standard` is PyTorch's default for LSTMs, U(-b, b) with b = 1/sqrt(units)
    /// for all matrices and biases; the others apply to the two matrices (4 units x inputs and
    /// 4 units x units), and leave the biases at that.
    LstmCell(std::size_t inputs,
             std::size_t units,
             Initialisation how,
             std::uint64_t seed,
             std::uint64_t direction);

    [[nodiscard]] std::size_t units() const noexcept override { return bias_.n_elem / 4; }
    [[nodiscard]] const Weights& weights() const noexcept override { return weights_; }
    /// The sum of both bias vectors, 4 units.
    [[nodiscard]] const arma::fvec& bias() const noexcept { return bias_; }
    void update(std::span<const float> product,
                std::span<float> state,
                std::span<float> memory) const override;

private:
    Weights weights_; ///< 4 units x (inputs + units)
    arma::fvec bias_;
};

/// Settings of an echo state network.
struct Reservoir {
    double spectral_radius = 1.0;
    double sparsity = 0.5;    ///< share of the recurrent weights that are zero
    double input_scale = 0.1; ///< input weights are U(-input_scale, input_scale)
    double leak = 0.0;        ///< share of the state before that stays
    Activation activation = Activation::none;
};

/// An echo state network (Jaeger 2001):
///
///     h_t = (1 - leak) activation(W_in x_t + W h_(t-1)) + leak h_(t-1)
///
/// W is drawn from U(-0.5, 0.5), made sparse, and then scaled to the spectral radius.
class EsnCell : public Cell {
public:
    EsnCell(std::size_t inputs,
            std::size_t units,
            const Reservoir& settings,
            std::uint64_t seed,
            std::uint64_t direction);

    [[nodiscard]] std::size_t units() const noexcept override { return weights_.rows(); }
    [[nodiscard]] const Weights& weights() const noexcept override { return weights_; }
    void update(std::span<const float> product,
                std::span<float> state,
                std::span<float> memory) const override;

private:
    Weights weights_; ///< units x (inputs + units)
    float leak_;
    Activation activation_;
};

} // namespace senteval::random
