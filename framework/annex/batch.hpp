// batch.hpp -- a minibatch of pairs, laid out for the objective.
#pragma once

#include "annex/corpus.hpp"
#include "paragram_model/architecture.hpp"
#include "paragram_model/recurrence.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::annex {

/// The sentences of a batch that are computed together. Their number depends on the batch alone, not on the
/// threads: so does every sum.
struct Shard {
    std::uint32_t begin = 0; ///< first sentence
    std::uint32_t end = 0;
    std::uint32_t slot = 0; ///< first slot
    paragram::Packing packing;
};

/// Sentences 0 ... pairs - 1 are the first ones of the pairs, the others the second ones. A slot is a
/// row of inputs of the model: a sentence where it reads means, a token where it is recurrent (by
/// shard, then as packed).
struct Batch {
    std::size_t pairs = 0;
    std::vector<Word> tokens;
    std::vector<std::uint32_t> begin; ///< of each sentence in tokens; and the end
    std::vector<float> scores;        ///< of the pairs
    std::vector<Shard> shards;
    std::size_t slots = 0;
    std::vector<Word> words;                ///< each once, in order of first occurrence
    std::vector<std::uint32_t> occurrences; ///< slots of each word, one word after the other
    std::vector<std::uint32_t> occurrence_begin;

    [[nodiscard]] std::size_t sentences() const noexcept { return 2 * pairs; }
    [[nodiscard]] std::span<const Word> sentence(std::size_t number) const noexcept
    {
        return std::span(tokens).subspan(begin[number], begin[number + 1] - begin[number]);
    }
};

/// Makes batches; one per thread.
class BatchMaker {
public:
    /// Makes batches for a model with a vocabulary of `words` words.
    BatchMaker(std::size_t words, const paragram::Architecture& architecture);

    /// Replaces `batch` by these pairs of the corpus, in their order.
    void make(const Corpus& corpus, std::span<const std::uint32_t> pairs, Batch& batch);

private:
    void make_shards(Batch& batch);
    void list_slots(Batch& batch, const Shard& shard);
    void list_words(Batch& batch);

    bool is_recurrent_;
    std::vector<std::uint32_t> place_; ///< of each word in Batch::words; those of other batches too
    std::vector<std::span<const Word>> phrases_;
    std::vector<std::uint32_t> slot_of_token_;
    std::vector<std::uint32_t> place_of_token_;
    std::vector<std::uint32_t> lengths_;
};

} // namespace senteval::annex
