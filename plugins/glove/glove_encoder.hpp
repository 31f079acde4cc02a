// glove_encoder.hpp -- sentences as pooled word vectors.
#pragma once

#include "glove/pooling.hpp"
#include "glove/sif.hpp"
#include "word_vectors/parameters.hpp"
#include "word_vectors/table.hpp"
#include "word_vectors/word_vectors.hpp"

#include <array>
#include <senteval/encoder.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace senteval::glove {

/// By default SentEval's bag-of-words example, bit for bit: the mean of the vectors of the tokens
/// that are in the file as they are written, added in double and rounded once to float. An empty
/// sentence is read as ".", one without a known token is zeros.
class GloveEncoder {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.glove",
        .name = "Word vector pooling",
        .version = "1.0",
        .description = "Mean (or max, min, sum, power means, SIF average) of the vectors of a "
                       "sentence's words, from GloVe, word2vec or fastText files.",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC,
    };
    static constexpr auto params = word_vectors::joined(
        word_vectors::source_params,
        std::array{
            word_vectors::case_param,
            sdk::param("unknown",
                       "skip",
                       "Tokens without a vector: skip, or zero (they count as a vector of zeros)."),
            sdk::param("pooling",
                       "mean",
                       "mean, max, min, sum, or pmeans (mean, max, min and power mean of order 3, "
                       "concatenated)."),
            sdk::path_param(
                "sif",
                "File of word counts (a word and its count per line); turns the mean into "
                "the SIF average.",
                0),
            sdk::param("sif_a", 1e-3, "SIF: a word weighs a / (a + its probability); above 0."),
            sdk::param(
                "sif_component",
                true,
                "SIF: remove the first component of all sentences of the task, of both sides of "
                "its pairs together.")});

    explicit GloveEncoder(const sdk::Setup& setup);
    GloveEncoder(const GloveEncoder&) = delete; // the table points to the vectors
    GloveEncoder& operator=(const GloveEncoder&) = delete;
    ~GloveEncoder() = default;

    std::size_t dimension() const;
    void prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples);
    void encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const;
    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const;
    /// Only SIF's component is fitted on the sentences of the task.
    bool ignores_prepare() const noexcept { return !removes_component_; }

private:
    void average(word_vectors::SentenceReader& reader,
                 std::string_view sentence,
                 std::span<double> out) const;
    void fit_component(const sdk::Call& call, sdk::Batch samples);

    Pooling pooling_;
    Unknown unknown_;
    word_vectors::CasePolicy case_policy_;
    word_vectors::WordVectors vectors_;
    word_vectors::Table table_;
    std::optional<SifWeights> sif_;
    bool removes_component_ = false;
    CommonComponent component_;
};

} // namespace senteval::glove
