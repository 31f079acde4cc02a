// paragram_encoder.hpp -- averages of paraphrastic word vectors, and what else a model of 'senteval train
// paragram' makes of them (Wieting, Bansal, Gimpel and Livescu, "Towards universal paraphrastic sentence
// embeddings", ICLR 2016).
#pragma once

#include "paragram_model/architecture.hpp"
#include "paragram_model/model_file.hpp"
#include "word_vectors/parameters.hpp"
#include "word_vectors/table.hpp"
#include "word_vectors/word_vectors.hpp"

#include <array>
#include <senteval/encoder.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace senteval::paragram {

/// The linear projection W x + b (equation 2), read from a text file with a line per output dimension: the values of that row of W, then its
/// value of b, separated by spaces (numpy.savetxt(file, numpy.column_stack([W, b])) writes one).
class Projection {
public:
    /// A projection of inputs of `inputs` values. Throws sdk::Error naming file and line, also where the file is made
    /// for inputs of another length.
    Projection(const std::filesystem::path& file, std::size_t inputs);

    [[nodiscard]] std::size_t outputs() const noexcept { return bias_.size(); }

    /// out = W input + b.
    void apply(std::span<const double> input, std::span<double> out) const;

private:
    std::vector<double> columns_; ///< W, column by column
    std::vector<double> bias_;
};

/// Vectors by paragram. From word vectors: the mean over all tokens (equation 1), where one that is not in the file
/// counts as the file's word UUUNKKK, then the projection if there is one (equation 2). From a trained model: its
/// composition of the tokens. A sentence without tokens has a mean of zeros, and zeros from a recurrent model. Every
/// sentence is computed alone, so that its vector depends on nothing else.
class ParagramEncoder {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.paragram",
        .name = "Paragram-phrase average",
        .version = "1.1",
        .description = "Mean of paraphrastic word vectors with a vector for unknown words, and an "
                       "optional linear projection; or any model of 'senteval train paragram' "
                       "(Wieting et al. 2016).",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC | SENTEVAL_CAP_PREPARE_IRRELEVANT,
    };
    static constexpr auto params = word_vectors::joined(std::array{
        sdk::path_param("vectors",
                        "File of word vectors: GloVe text, word2vec text or binary, "
                        "fastText .vec. Needed where there is no model.",
                        0),
        word_vectors::format_param, word_vectors::malformed_param,
        sdk::path_param("projection",
                        "Text file of a linear projection: a line per output dimension, the row of "
                        "W, then the value of b.",
                        0),
        sdk::path_param("model", "A model of 'senteval train paragram', in place of vectors.", 0)});

    explicit ParagramEncoder(const sdk::Setup& setup);
    ParagramEncoder(const ParagramEncoder&) = delete; // the table points to the vectors
    ParagramEncoder& operator=(const ParagramEncoder&) = delete;
    ~ParagramEncoder() = default;

    [[nodiscard]] std::size_t dimension() const;
    void prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples);
    void encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const;
    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const;

private:
    [[nodiscard]] const double* vector_of(const word_vectors::Token& token) const
    {
        return token.vector != nullptr ? token.vector : unknown_.data();
    }
    void average(std::span<const word_vectors::Token> tokens, std::span<double> out) const;

    std::optional<ModelFile> model_; ///< none: plain word vectors
    word_vectors::WordVectors vectors_;
    word_vectors::Table table_;
    std::vector<double> unknown_;
    std::optional<Projection> projection_;
};

} // namespace senteval::paragram
