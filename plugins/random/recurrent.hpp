// recurrent.hpp -- random recurrent encoders: an LSTM and an echo state network.
#pragma once

#include "random/cell.hpp"
#include "random/parameters.hpp"
#include "random/words.hpp"
#include "word_vectors/parameters.hpp"

#include <array>
#include <senteval/encoder.hpp>

#include <memory>
#include <vector>

namespace senteval::random {

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

    [[nodiscard]] std::size_t inputs() const noexcept { return words_.dimension(); }
    void add_direction(std::unique_ptr<Cell> cell) { directions_.push_back(std::move(cell)); }

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
    Activation activation_;
    std::vector<std::unique_ptr<Cell>> directions_;
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
            sdk::param("spectral_radius", 1.0, "Of the recurrent weights, 0 to 10."),
            sdk::param("sparsity", 0.5, "Share of the recurrent weights that are zero, 0 to 0.99."),
            sdk::param("input_scale", 0.1, "Input weights are uniform within +-this, 0 to 100."),
            sdk::param("leak", 0.0, "Share of the state before that stays, 0 to 0.99."),
            sdk::param(
                "state_activation", "none", "Of the reservoir: none, relu, tanh or sigmoid."),
            activation_param, seed_param});

    explicit Esn(const sdk::Setup& setup);
};

} // namespace senteval::random
