// session.hpp -- one encoder working on the tasks of a run: each sentence is encoded once, and its vector brought to
// fewer dimensions.
#pragma once

#include "embedding/embeddings.hpp"
#include "embedding/projection.hpp"
#include "embedding/variant.hpp"
#include "encoder/embedder.hpp"
#include "encoder/prompted.hpp"
#include "encoder/vector_store.hpp"

#include <armadillo>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace senteval::encoder {

struct SessionOptions : EmbedderOptions {
    const EmbeddingCache* cache = nullptr; ///< used for batch-invariant encoders only
    std::function<void(const std::string& what)>
        warn;           ///< of a cache that cannot be written; may be empty
    SpillOptions spill; ///< where the vectors lie
};

/// Drives an encoder for the tasks of a run, one after the other. Invariant: the store holds the vectors of all
/// sentences that were asked for, and the images those of its first columns under the projection at hand; a failure
/// empties both. Each distinct sentence of a task is encoded once where the encoder is batch-invariant, each list of
/// sentences once where it is not. Not thread-safe.
class Session {
public:
    Session(Encoder& encoder, const SessionOptions& options);

    /// Starts a task: `samples` is every sentence embed() will be asked for, in file order. They
    /// must outlive the task. Vectors are not projected until project() says so. The encoder is given the texts of the
    /// task behind its prompts.
    void prepare(std::string_view task,
                 std::span<const text::Sentence> samples,
                 const Prompts& prompts = {});

    /// The fingerprint that stands for the encoder's own in the cache from now on; before embed().
    void cache_as(const std::string& fingerprint);

    /// The encoder's own vectors of a few sentences, a column for each; embed() does not know of them.
    [[nodiscard]] arma::fmat ask(std::span<const text::Sentence> sentences)
    {
        return embedder_.ask(sentences);
    }

    /// Whether the encoder is a ranker: prepare() is then for the documents of a search, and ask() for its scores.
    [[nodiscard]] bool ranks() const { return embedder_.encoder().ranks(); }

    /// Says what embed() answers with from now on: the encoder's own vectors, or their images under a
    /// projection where they have more dimensions than it, or under a variant, but for its precision.
    /// Nothing is encoded again. Principal components are fitted on at most ProjectionSettings::samples
    /// of the task's distinct samples, evenly spread; of an encoder that is not batch-invariant these are
    /// encoded apart, so that the batches of the others stay what they are. Throws as embed() does.
    void project(const std::optional<embedding::ProjectionSettings>& projection,
                 const embedding::Variant& variant = {});

    /// Vectors of sentences of the prepared task; of a batch-invariant encoder the first call encodes all of
    /// its samples, of another one each call encodes its list. Valid until the next prepare() or
    /// project(). The same list again, under whatever projection, is answered with the same vectors.
    /// Throws base::Error naming encoder, task and sentence when the encoder fails or returns a value
    /// that is not finite; what was embedded for the task before is then lost. Vectors go into the cache, if there is
    /// one, as soon as all samples are encoded, and where it is stopped.
    [[nodiscard]] embedding::Embeddings embed(std::span<const text::Sentence> sentences);

    /// Embedder::check_order(); after all that the task needs.
    void check_order() { embedder_.check_order(store_.slots()); }

    /// Dimension of the vectors that embed() returns.
    [[nodiscard]] std::size_t dimension() const noexcept
    {
        return has_images() ? images_.n_rows : encoder_dimension();
    }
    [[nodiscard]] std::size_t encoder_dimension() const noexcept { return embedder_.dimension(); }
    [[nodiscard]] Capabilities capabilities() const { return embedder_.encoder().capabilities(); }

    /// Coverage of the prepared task's samples; nothing where the encoder does not count words.
    [[nodiscard]] std::optional<Coverage> coverage() { return embedder_.coverage(); }

    /// Root mean square of the lengths of the vectors that embed() answered with for the task, of 10 000 at most,
    /// evenly spread; 0 before there are any.
    [[nodiscard]] double norm() const;

    /// The number of sentences that have been embedded for the task, where all of them got the same vector although
    /// they differ; 0 otherwise.
    [[nodiscard]] std::size_t all_alike() const { return store_.all_alike(); }

    /// The capability that did not hold, on any task so far; empty where all did.
    [[nodiscard]] const std::string& broken_claim() const noexcept
    {
        return embedder_.broken_claim();
    }

    /// Sentences that encode() was called for, and that the cache delivered, since prepare().
    [[nodiscard]] std::size_t encoded() const noexcept { return embedder_.encoded(); }
    [[nodiscard]] std::size_t cached() const noexcept { return store_.cached(); }

private:
    [[nodiscard]] bool has_images() const noexcept
    {
        return projection_ || variant_.copies(encoder_dimension());
    }
    void make_room_for_images(std::size_t dimension);
    /// The columns of the store that a list of sentences has, or gets; new ones are encoded.
    [[nodiscard]] std::span<const std::uint32_t>
    columns_of(std::span<const text::Sentence> sentences);
    std::span<const std::uint32_t> encode(std::span<const text::Sentence> sentences);
    [[nodiscard]] const arma::fmat& component_samples();
    void project_new_columns();
    void save_to_cache();

    unsigned threads_;
    const EmbeddingCache* cache_;
    Identity cached_; ///< what the cache knows the encoder by
    std::string task_;
    std::function<void(const std::string& what)> warn_;
    SpillOptions spill_;
    std::string prompts_; ///< of the task, as the cache knows them; empty: none
    std::unique_ptr<PromptedEncoder> encoder_; ///< whose place stays
    Embedder embedder_;
    VectorStore store_;
    std::span<const text::Sentence> samples_;
    std::optional<embedding::ProjectionSettings> projected_to_;
    embedding::Variant variant_;
    std::optional<embedding::Projection> projection_; ///< none where vectors stay as they are
    VectorMemory image_memory_;
    arma::fmat images_; ///< of the first imaged_ columns of the store
    std::size_t imaged_ = 0;
    arma::fmat component_samples_; ///< empty until principal components are asked for
};

} // namespace senteval::encoder
