// borep.hpp -- bag of random embedding projections.
#pragma once

#include "random/parameters.hpp"
#include "random/weights.hpp"
#include "random/words.hpp"
#include "word_vectors/parameters.hpp"

#include <array>
#include <senteval/encoder.hpp>

namespace senteval::random {

/// BOREP (Wieting and Kiela 2019, section 3.1.1): h = f_pool(W e), with W random, e the word
/// vectors, and an activation on the pooled vector.
///
/// Mean and sum are taken before the projection, which is the same but for the rounding (the word
/// vectors are summed in double, and there is one product per sentence instead of one per token).
///
/// Where it differs from the authors' program: words that fall back to the same entry of the
/// vectors all get its vector (there, all but one got zeros, and which one was left to chance); a
/// sentence is not cut after 96 tokens; the random numbers are the project's own.
class Borep {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.borep",
        .name = "BOREP",
        .version = "1.0",
        .description = "Bag of random embedding projections: word vectors through a random linear "
                       "map, pooled (Wieting and Kiela 2019).",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC | SENTEVAL_CAP_PREPARE_IRRELEVANT,
    };
    static constexpr auto params = word_vectors::joined(
        words_params,
        std::array{pooling_param, initialisation_param, activation_param, seed_param});

    explicit Borep(const sdk::Setup& setup);

    [[nodiscard]] std::size_t dimension() const { return weights_.rows(); }
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

private:
    void encode_pooled(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const;
    void encode_tokens(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const;

    Words words_;
    Pooling pooling_;
    Activation activation_;
    Weights weights_; ///< dimension x dimension of the word vectors
};

} // namespace senteval::random
