// infersent.hpp -- InferSent: a recurrent network of the kind of Lstm, with trained weights.
#pragma once

#include "random/recurrent.hpp"

namespace senteval::random {

/// The bidirectional LSTM of Conneau et al. (2017), "Supervised Learning of Universal Sentence Representations", over the
/// words between a token of the beginning and one of the end, each with its vector from a file.
class InferSent : public Recurrent {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.infersent",
        .name = "InferSent",
        .version = "1.0",
        .description = "Maximum of the states of a trained bidirectional LSTM over word "
                       "vectors (Conneau et al. 2017).",
        .license = "MIT",
        .capabilities = Lstm::descriptor.capabilities,
    };
    static constexpr auto params = word_vectors::joined(
        std::array{
            sdk::path_param("model", "Weights, as samples/convert_infersent.py writes them."),
            sdk::param(
                "version",
                "1",
                "1: <s> and </s> around a sentence, with GloVe; 2: <p> and </p>, with fastText."),
            sdk::param("padding",
                       "none",
                       "none, or original: in version 1 the maximum is taken over zeros, too, but "
                       "for the longest sentences of a batch.")},
        word_vectors::source_params);

    explicit InferSent(const sdk::Setup& setup);

    [[nodiscard]] std::uint32_t capabilities() const noexcept
    {
        constexpr std::uint32_t invariant = SENTEVAL_CAP_BATCH_INVARIANT;
        return descriptor.capabilities & ~(pads_ ? invariant : 0U);
    }
};

} // namespace senteval::random
