// recurrent.hpp -- random recurrent encoders: an LSTM and an echo state network.
#pragma once

#include "random/initialise.hpp"
#include "random/parameters.hpp"
#include "random/weights.hpp"
#include "random/words.hpp"
#include "word_vectors/parameters.hpp"

#include <senteval/encoder.hpp>

#include <armadillo>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

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
    /// Rows as update() needs them, x (inputs + units).
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
    /// Trained weights, as weights() and bias() give them.
    LstmCell(const arma::fmat& weights, arma::fvec bias) : weights_(weights), bias_(std::move(bias))
    {
    }

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
    auto operator<=>(const Reservoir&) const = default;
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

/// Runs one or two recurrent layers over the word vectors of a sentence, the second from its end,
/// pools the states of each over the tokens, and puts the results one behind the other.
class Recurrent {
public:
    [[nodiscard]] std::size_t dimension() const;
    void prepare(sdk::Call& call, const sdk::Task&, sdk::Batch samples)
    {
        words_.prepare(call, samples);
    }
    void encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const;
    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const
    {
        words_.count_known(batch, tokens, known);
    }

protected:
    explicit Recurrent(const sdk::Setup& setup);
    /// A recurrent encoder over words as they are written; those without a vector are left out.
    Recurrent(const sdk::Setup& setup, Pooling pooling);

    [[nodiscard]] std::size_t inputs() const noexcept { return words_.dimension(); }
    void add_direction(std::shared_ptr<const Cell> cell) { directions_.push_back(std::move(cell)); }

    std::string before_; ///< stands in front of each sentence
    std::string after_;
    bool pads_ =
        false; ///< a sentence shorter than the longest of its batch has zeros behind it, for the maximum

private:
    struct Sequence {
        std::size_t sentence = 0; ///< of the batch
        std::size_t begin = 0;    ///< of its vectors, in floats
        std::size_t length = 0;   ///< tokens
    };

    [[nodiscard]] std::vector<Sequence>
    read(sdk::Call& call, sdk::Batch batch, std::vector<float>& vectors) const;
    void run(sdk::Call& call,
             std::size_t direction,
             std::span<const Sequence> sequences,
             std::span<const float> vectors,
             sdk::Matrix out) const;

    Words words_;
    Pooling pooling_;
    Activation activation_ = Activation::none;
    std::vector<std::shared_ptr<const Cell>> directions_;
};

/// Random LSTM (Wieting and Kiela 2019, section 3.1.2). Differs from the authors' program as BOREP
/// does, and in that `normal` and `uniform` mean here what they mean for BOREP.
class Lstm : public Recurrent {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.lstm",
        .name = "Random LSTM",
        .version = "1.0",
        .description = "States of a random bidirectional LSTM over word vectors, pooled (Wieting "
                       "and Kiela 2019).",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC | SENTEVAL_CAP_PREPARE_IRRELEVANT,
    };
    static constexpr auto params =
        word_vectors::joined(words_params,
                             std::array{bidirectional_param, pooling_param, initialisation_param,
                                        activation_param, seed_param});

    explicit Lstm(const sdk::Setup& setup);
};

/// Echo state network (Wieting and Kiela 2019, section 3.1.3).
///
/// Differs from the authors' program as BOREP does, and further: the recurrent weights are scaled
/// after they are made sparse, so the spectral radius is the one asked for (there, sparsity 0.5
/// lowers it to about 0.7 of it); no layer has a bias (there, the backward one does); the leak acts
/// at every step, from a zero state before the first (there, from the third on).
class Esn : public Recurrent {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.esn",
        .name = "Echo state network",
        .version = "1.0",
        .description = "States of a random echo state network over word vectors, pooled (Jaeger "
                       "2001; Wieting and Kiela 2019).",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC | SENTEVAL_CAP_PREPARE_IRRELEVANT,
    };
    static constexpr auto params = word_vectors::joined(
        words_params,
        std::array{
            bidirectional_param, pooling_param,
            sdk::param(
                "spectral_radius", 1.0, "Spectral radius of the recurrent weights, 0 to 10."),
            sdk::param("sparsity", 0.5, "Share of the recurrent weights that are zero, 0 to 0.99."),
            sdk::param("input_scale", 0.1, "Input weights are uniform within +-this, 0 to 100."),
            sdk::param("leak", 0.0, "Share of the state before that stays, 0 to 0.99."),
            sdk::param("state_activation",
                       "none",
                       "Activation of the reservoir: none, relu, tanh or sigmoid."),
            activation_param, seed_param});

    explicit Esn(const sdk::Setup& setup);
};

} // namespace senteval::random
