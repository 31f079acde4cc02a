// encoder.hpp -- sentence vectors of fastText models.
//
// The numbers are those of `fasttext print-sentence-vectors`:
//
//  - an unsupervised model (skipgram, cbow) averages the word vectors of the sentence, each scaled to
//    length 1 first; a word without a vector is left out. A word vector is the mean of the vectors
//    of the word's character n-grams and, where it is in the vocabulary, its own (Bojanowski et al.
//    2017, "Enriching Word Vectors with Subword Information").
//  - a supervised model averages all input rows of the line: words, their character n-grams, word
//    n-grams, and the end-of-sentence symbol </s>, which the program sees because its lines end in a
//    newline (Joulin et al. 2017, "Bag of Tricks for Efficient Text Classification").
//  - word vectors in text (.vec) are averaged as an unsupervised model's: each scaled to length 1,
//    unknown words left out, no character n-grams, since the file has none. For a plain mean of such
//    a file take the encoder `glove`, which reads .vec too.
//
// A newline within a sentence counts as a space: a sentence is one line. A token "</s>" ends the
// line of a supervised model, as in the program.
#pragma once

#include "word_vectors/parameters.hpp"

#include <senteval/encoder.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace senteval::fasttext {

/// A model at work. encode() and count_known() may run on several threads at a time, but not beside
/// prepare().
class Model {
public:
    Model() = default;
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;
    Model(Model&&) = delete;
    Model& operator=(Model&&) = delete;
    virtual ~Model() = default;

    [[nodiscard]] virtual std::size_t dimension() const noexcept = 0;
    virtual void prepare(const sdk::Call& call, sdk::Batch samples) = 0;
    virtual void encode(const sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const = 0;
    virtual void count_known(sdk::Batch batch,
                             std::span<std::uint32_t> tokens,
                             std::span<std::uint32_t> known) const = 0;
};

/// Loads a model as `fasttext` writes it to OUTPUT.bin or, quantised, to OUTPUT.ftz. Throws
/// sdk::Error naming the file where it cannot be opened, or is damaged or truncated.
std::unique_ptr<Model> load_binary_model(const std::filesystem::path& file);

/// True where the file begins as load_binary_model() expects. Throws sdk::Error where it cannot be
/// opened.
bool is_binary_model(const std::filesystem::path& file);

/// Opens word vectors in text (OUTPUT.vec).
std::unique_ptr<Model> open_vectors_model(const sdk::Setup& setup);

class Encoder {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.fasttext",
        .name = "fastText",
        .version = "1.0",
        .description = "Sentence vectors of fastText models, as the fasttext program prints them "
                       "(Bojanowski et al. 2017; Joulin et al. 2017).",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC | SENTEVAL_CAP_PREPARE_IRRELEVANT,
    };
    static constexpr std::array params = {
        sdk::path_param(
            "model",
            "A fastText model: .bin or .ftz with subwords, or word vectors in text (.vec)."),
        word_vectors::malformed_param};

    static constexpr bool own_process = true; ///< the library trusts its files

    explicit Encoder(const sdk::Setup& setup);

    [[nodiscard]] std::size_t dimension() const { return model_->dimension(); }
    void prepare(sdk::Call& call, const sdk::Task&, sdk::Batch samples)
    {
        model_->prepare(call, samples);
    }
    void encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const
    {
        model_->encode(call, batch, out);
    }

    /// A token is known when it has a vector: it is in the vocabulary or, in a model with subwords,
    /// has a character n-gram.
    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const
    {
        model_->count_known(batch, tokens, known);
    }

private:
    std::unique_ptr<Model> model_;
};

} // namespace senteval::fasttext
