// session.hpp -- one encoder working on one task: batches, threads, repeated sentences, checks.
#pragma once

#include "encoder/cache.hpp"
#include "encoder/encoder.hpp"
#include "text/sentence.hpp"

#include <armadillo>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace senteval::encoder {

/// Embeddings of a list of sentences: sentence i is column `columns[i]` of `store`. The store is the
/// session's and lives until its next prepare(); equal sentences may share a column.
struct Embeddings {
    const arma::fmat* store = nullptr; ///< dimension x distinct sentences
    std::vector<std::uint32_t> columns;

    [[nodiscard]] std::size_t size() const noexcept { return columns.size(); }
    [[nodiscard]] const float* vector(std::size_t i) const { return store->colptr(columns[i]); }

    /// A dense copy, dimension x n, one sentence per column, in the order asked.
    [[nodiscard]] arma::fmat matrix() const;
};

struct SessionOptions {
    std::size_t batch_size = 128; ///< sentences per encode() call
    unsigned threads = 1;
    std::stop_token stop;
    std::function<void(std::size_t done, std::size_t total)> progress; ///< sentences; may be empty
    const EmbeddingCache* cache = nullptr; ///< used for batch-invariant encoders only
};

/// Share of the task's words that the encoder knows.
struct Coverage {
    std::uint64_t tokens = 0;
    std::uint64_t tokens_known = 0;
    std::uint64_t types = 0;
    std::uint64_t types_known = 0;
};

/// Drives an encoder for the tasks of a run, one after the other. Each distinct sentence of a task
/// is encoded once where the encoder is batch-invariant; batches are formed in an order that does
/// not depend on the number of threads. Not thread-safe.
class Session {
public:
    Session(Encoder& encoder, SessionOptions options);

    /// Starts a task: `samples` is every sentence embed() will be asked for, in file order. They
    /// must outlive the task.
    void prepare(std::string_view task, std::span<const text::Sentence> samples);

    /// Encodes sentences of the prepared task. Throws core::Error naming encoder, task and sentence
    /// when the encoder fails or returns a value that is not finite; what was embedded for the task
    /// before is then lost.
    [[nodiscard]] Embeddings embed(std::span<const text::Sentence> sentences);

    /// Puts what was encoded for this task into the cache, if there is one.
    void save_to_cache() const;

    [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
    [[nodiscard]] Encoder& encoder() noexcept { return encoder_; }

    /// Of the samples of the prepared task, or nothing where the encoder does not tell.
    [[nodiscard]] std::optional<Coverage> coverage();

    /// Sentences that encode() was called for, and that the cache delivered, since prepare().
    [[nodiscard]] std::size_t encoded() const noexcept { return encoded_; }
    [[nodiscard]] std::size_t cached() const noexcept { return cached_; }

private:
    struct Pending {
        text::Sentence sentence;
        std::uint32_t column = 0;
    };

    [[nodiscard]] std::vector<Pending> assign_columns(std::span<const text::Sentence> sentences,
                                                      std::vector<std::uint32_t>& columns);
    void take_from_cache(std::vector<Pending>& pending);
    void encode(std::span<const Pending> pending);
    void encode_batch(std::span<const Pending> batch, const CallContext& context);
    void check_finite(std::span<const Pending> batch) const;
    void check_dimension();
    /// Calls the encoder; what it throws comes out with encoder and task named.
    void guarded(std::string_view doing, const std::function<void()>& call) const;
    [[noreturn]] void fail(std::string_view doing, std::string_view why) const;
    [[nodiscard]] CallContext call_context(unsigned budget) const;

    Encoder& encoder_;
    SessionOptions options_;
    std::string task_;
    std::string cache_key_;      ///< what the vectors depend on; empty where nothing is cached
    std::vector<Pending> fresh_; ///< encoded, not taken from the cache; kept where there is a cache
    CachedVectors kept_;
    std::span<const text::Sentence> samples_;
    std::size_t dimension_ = 0;
    arma::fmat store_; ///< dimension x capacity; columns [0, used_) are taken
    std::uint32_t used_ = 0;
    std::unordered_map<std::string_view, std::uint32_t> column_of_; ///< batch-invariant only
    std::size_t encoded_ = 0;
    std::size_t cached_ = 0;
};

} // namespace senteval::encoder
