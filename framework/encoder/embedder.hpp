// embedder.hpp -- an encoder at work on a task: batches, threads, failures, and whether its vectors can be trusted.
#pragma once

#include "encoder/coverage.hpp"
#include "encoder/encoder.hpp"
#include "encoder/sentences.hpp"

#include <armadillo>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::encoder {

struct EmbedderOptions {
    std::size_t batch_size = 128; ///< sentences per encode() call
    unsigned threads = 1;
    std::stop_token stop;
    std::function<void(std::size_t done, std::size_t total)> progress; ///< sentences; may be empty
    /// Longest search for the sentence that an encoder fails on.
    std::chrono::milliseconds search = std::chrono::seconds(10);
};

/// Invariant: slots that encode() reports as filled hold finite vectors of dimension(), and the encoder's claims held on
/// a sample of them. A batch has sentences of one role, and does not depend on the number of threads. What the encoder
/// throws comes out as base::Error naming encoder and task; base::Cancelled passes.
class Embedder {
public:
    Embedder(Encoder& encoder, EmbedderOptions options)
        : encoder_(encoder), options_(std::move(options))
    {
        options_.batch_size = std::max<std::size_t>(options_.batch_size, 1);
    }

    /// Starts a task of these sentences, which must outlive it.
    void prepare(std::string_view task, std::span<const text::Sentence> samples);

    /// Fills the slots, those of a batch-invariant encoder sorted by role and length. `filled` hears of each part
    /// whose claims were tried.
    void encode(std::span<Slot> slots,
                const std::function<void(std::span<const Slot>)>& filled = {});

    /// The vectors of a few sentences, a column for each.
    [[nodiscard]] arma::fmat ask(std::span<const text::Sentence> sentences);

    /// Encodes at most four sentences alone, and, where one has another's vector, all of its batch; once for a task, and
    /// not of a batch-invariant encoder, whose claim is tried as it encodes. Throws base::Error where vectors of the
    /// task, `encoded`, are those of other sentences.
    void check_order(std::span<const Slot> encoded);

    /// Does what may fail; the error says while doing what.
    void guarded(std::string_view doing, const std::function<void()>& call) const;

    /// Coverage of the task's sentences; nothing where the encoder does not count words.
    [[nodiscard]] std::optional<Coverage> coverage();

    [[nodiscard]] const Encoder& encoder() const noexcept { return encoder_; }
    [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
    [[nodiscard]] std::size_t encoded() const noexcept { return encoded_; }
    [[nodiscard]] const std::string& broken_claim() const noexcept { return broken_claim_; }

private:
    struct Failure;
    struct Batch {
        std::vector<text::Sentence> sentences;
        arma::fmat rows;
    };

    void prepare_encoder();
    void encode_part(std::span<Slot> part, std::size_t& done, std::size_t total);
    void encode_batch(std::span<const Slot> batch, const CallContext& context, Failure& failure);
    [[noreturn]] void fail_on(const Failure& failure, const CallContext& context);
    void check_dimension() const;
    void check_claims(std::span<const Slot> part);
    [[noreturn]] void fail(std::string_view doing, std::string_view why) const;
    [[nodiscard]] bool is_concurrent() const { return encoder_.capabilities().concurrent; }
    [[nodiscard]] CallContext whole_context() const
    {
        return {options_.threads, options_.stop, {}};
    }
    /// The context of a call that others may overlap.
    [[nodiscard]] CallContext shared_context() const
    {
        return {is_concurrent() ? 1 : options_.threads, options_.stop, {}};
    }

    Encoder& encoder_;
    EmbedderOptions options_;
    std::string task_;
    std::span<const text::Sentence> samples_;
    std::size_t dimension_ = 0;
    std::size_t encoded_ = 0;
    std::vector<Batch> tried_;                        ///< what check_order() is to look at
    std::optional<std::optional<Coverage>> coverage_; ///< once it was asked for
    std::string broken_claim_;
};

} // namespace senteval::encoder
