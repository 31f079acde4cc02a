// session.hpp -- one encoder working on one task: batches, threads, repeated sentences, checks, and
// the vectors brought to fewer dimensions.
#pragma once

#include "embedding/embeddings.hpp"
#include "embedding/projection.hpp"
#include "embedding/variant.hpp"
#include "encoder/cache.hpp"
#include "encoder/coverage.hpp"
#include "encoder/encoder.hpp"
#include "encoder/vector_memory.hpp"
#include "text/sentence.hpp"

#include <armadillo>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace senteval::encoder {

struct SessionOptions {
    std::size_t batch_size = 128; ///< sentences per encode() call
    unsigned threads = 1;
    std::stop_token stop;
    std::function<void(std::size_t done, std::size_t total)> progress; ///< sentences; may be empty
    const EmbeddingCache* cache = nullptr; ///< used for batch-invariant encoders only
    std::function<void(const std::string& what)>
        warn;           ///< of a cache that cannot be written; may be
                        ///< empty
    SpillOptions spill; ///< where the vectors lie
    /// Longest search for the sentence that an encoder fails on.
    std::chrono::milliseconds search = std::chrono::seconds(10);
};

/// Drives an encoder for the tasks of a run, one after the other. Each distinct sentence of a task
/// is encoded once where the encoder is batch-invariant, each list of sentences once where it is not;
/// batches have sentences of one role each, and are formed in an order that does not depend on the number
/// of threads. Not thread-safe.
class Session {
public:
    Session(Encoder& encoder, SessionOptions options);

    /// Starts a task: `samples` is every sentence embed() will be asked for, in file order. They
    /// must outlive the task. Vectors are not projected until project() says so.
    void prepare(std::string_view task, std::span<const text::Sentence> samples);

    /// What embed() answers with from now on: the encoder's own vectors, or their images under a
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
    /// that is not finite; what was embedded for the task before is then lost.
    [[nodiscard]] embedding::Embeddings embed(std::span<const text::Sentence> sentences);

    /// Puts what was encoded for this task, and is not there yet, into the cache, if there is one.
    /// embed() does so as soon as all samples are encoded, and where it is stopped.
    void save_to_cache();

    /// Whether the rows of a batch are in the order of its sentences, of an encoder that does not claim to be
    /// batch-invariant (whose claim is tried as it encodes): at most four sentences are encoded alone, after
    /// all that the task needs, and, where one has another's vector, all of its batch. Throws base::Error
    /// where the batch has the vectors of its sentences alone, in another order.
    void check_order();

    /// Of the vectors that embed() returns; encoder_dimension(): before projection.
    [[nodiscard]] std::size_t dimension() const noexcept
    {
        return has_images() ? images_.n_rows : dimension_;
    }
    [[nodiscard]] std::size_t encoder_dimension() const noexcept { return dimension_; }
    [[nodiscard]] Encoder& encoder() noexcept { return encoder_; }

    /// Of the prepared task's samples; nothing where the encoder does not count words.
    [[nodiscard]] std::optional<Coverage> coverage();

    /// Root mean square of the lengths of the vectors that embed() answered with for the task, of 10 000 at most,
    /// evenly spread; 0 before there are any.
    [[nodiscard]] double norm() const;

    /// How many sentences have been embedded for the task, where all of them got the same vector although they
    /// differ; 0 otherwise.
    [[nodiscard]] std::size_t all_alike() const;

    /// The capability that did not hold, on any task so far; empty where all did.
    [[nodiscard]] const std::string& broken_claim() const noexcept { return broken_claim_; }

    /// Sentences that encode() was called for, and that the cache delivered, since prepare().
    [[nodiscard]] std::size_t encoded() const noexcept { return encoded_; }
    [[nodiscard]] std::size_t cached() const noexcept { return cached_; }

private:
    struct Pending {
        text::Sentence sentence;
        std::uint32_t column = 0;
        [[nodiscard]] text::Role role() const noexcept { return sentence.role; }
    };

    /// From the one of that number on: those of its role, at most so many.
    template <typename T, typename RoleOf>
    [[nodiscard]] static std::span<const T>
    of_one_role(std::span<const T> all, std::size_t at, std::size_t most, const RoleOf& role_of)
    {
        const auto rest = all.subspan(at, std::min(most, all.size() - at));
        const auto other = std::ranges::find_if(rest, [&](const T& one) {
            return std::invoke(role_of, one) != std::invoke(role_of, rest.front());
        });
        return {rest.begin(), other};
    }

    [[nodiscard]] bool has_images() const noexcept
    {
        return projection_ || variant_.copies(dimension_);
    }
    [[nodiscard]] bool shares_columns() const { return encoder_.capabilities().batch_invariant; }
    /// A matrix in `memory`, of values that nothing has written yet.
    [[nodiscard]] arma::fmat allocate(VectorMemory& memory,
                                      std::size_t dimension,
                                      VectorRows rows,
                                      std::size_t sentences) const;
    /// The columns of the store that a list of sentences has, or gets; new ones are encoded.
    [[nodiscard]] std::span<const std::uint32_t>
    columns_of(std::span<const text::Sentence> sentences);
    /// The same; throws what was embedded for the task away where it fails.
    [[nodiscard]] std::vector<std::uint32_t> encode_new(std::span<const text::Sentence> sentences);
    static void sort_by_length(std::span<Pending> pending);
    [[nodiscard]] embedding::Embeddings vectors_of(std::span<const std::uint32_t> columns) const
    {
        return {&store_, columns, store_.n_rows - dimension_};
    }
    [[nodiscard]] bool is_list_of(std::span<const std::uint32_t> columns,
                                  std::span<const text::Sentence> sentences) const;
    [[nodiscard]] std::vector<Pending> assign_columns(std::span<const text::Sentence> sentences,
                                                      std::vector<std::uint32_t>& columns);
    void pad(arma::fmat& store, std::uint32_t column) const;
    void take_from_cache(std::vector<Pending>& pending);
    /// Where in a longer list something begins, and how long that is.
    struct Part {
        std::size_t begin = 0;
        std::size_t of = 0;
    };
    [[nodiscard]] std::size_t tried_together() const;
    [[nodiscard]] std::size_t batch_size() const noexcept
    {
        return std::max<std::size_t>(options_.batch_size, 1);
    }
    /// A batch that the encoder failed on.
    struct FailedBatch {
        std::vector<text::Sentence> sentences;
        std::string why;
        bool is_by_call = true;
    };
    void encode(std::span<const Pending> pending, arma::fmat& store, Part part);
    void encode_batch(std::span<const Pending> batch,
                      arma::fmat& store,
                      const CallContext& context,
                      std::optional<FailedBatch>& failed);
    [[noreturn]] void fail_on(std::span<const FailedBatch> failed, const CallContext& context);
    void prepare_encoder();
    void check_finite(std::span<const Pending> batch, const arma::fmat& store) const;
    void check_dimension();
    void check_claims(std::span<const Pending> pending);
    void check_order(std::span<const std::uint32_t> batch, const arma::fmat& rows);
    [[nodiscard]] arma::fvec encode_alone(std::uint32_t column);
    void forget_vectors();
    [[nodiscard]] const arma::fmat& component_samples();
    void project_new_columns();
    /// Calls the encoder; what it throws comes out with encoder and task named.
    void guarded(std::string_view doing, const std::function<void()>& call) const;
    [[noreturn]] void fail(std::string_view doing, std::string_view why) const;
    [[nodiscard]] CallContext call_context(unsigned budget) const;

    Encoder& encoder_;
    SessionOptions options_;
    std::string task_;
    std::string cache_key_; ///< what the vectors depend on; empty where nothing is cached
    std::vector<std::uint32_t> fresh_; ///< columns that are to go into the cache
    std::size_t fresh_tried_ = 0;      ///< of them, those whose claims were checked
    CachedVectors kept_;
    std::span<const text::Sentence> samples_;
    std::size_t dimension_ = 0;
    VectorMemory memory_;                   ///< of the store
    arma::fmat store_;                      ///< core::row_stride() of the dimension x capacity
    std::vector<text::Sentence> sentences_; ///< of the columns that are taken
    std::unordered_map<text::Sentence, std::uint32_t, text::SentenceHash>
        column_of_;                                ///< where columns are shared
    std::deque<std::vector<std::uint32_t>> lists_; ///< that were asked for
    std::optional<Coverage> coverage_;             ///< once it is covered
    bool is_covered_ = false;
    bool is_order_checked_ = false;
    std::optional<embedding::ProjectionSettings> projected_to_;
    embedding::Variant variant_;
    std::optional<embedding::Projection> projection_; ///< none where vectors stay as they are
    VectorMemory image_memory_;
    arma::fmat images_; ///< of the first imaged_ columns of the store
    std::size_t imaged_ = 0;
    arma::fmat component_samples_; ///< empty until principal components are asked for
    std::size_t encoded_ = 0;
    std::size_t cached_ = 0;
    std::string broken_claim_;
};

} // namespace senteval::encoder
