// corpus.hpp -- training pairs as numbers of words.
#pragma once

#include "annex/start_vectors.hpp"
#include "paragram_model/training_record.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace senteval::annex {

/// Number of a word among those of the training pairs.
using Word = std::uint32_t;
inline constexpr Word unknown = 0; ///< stands for all words without a vector

/// The words of the training pairs that have a vector to begin with, in order of first occurrence; 0 is the
/// unknown word.
struct Vocabulary {
    std::vector<std::string> words;
    std::vector<std::size_t> rows;     ///< of StartVectors; that of the unknown word may not be one
    std::vector<std::uint32_t> counts; ///< occurrences in the pairs
    std::unordered_map<std::string, Word> numbers;

    [[nodiscard]] std::size_t size() const noexcept { return words.size(); }
};

/// Pairs of phrases, each of at least one word.
struct Corpus {
    Vocabulary vocabulary;
    std::vector<Word> tokens;
    std::vector<std::uint64_t> begin = {
        0}; ///< of phrase i (pair i / 2, side i % 2) in tokens; and the end
    std::vector<std::uint64_t> keys; ///< paragram::sentence_key() of each phrase; 0: it has none
    std::vector<float> scores;       ///< of each pair; 0 where none was read

    [[nodiscard]] std::size_t pairs() const noexcept { return (begin.size() - 1) / 2; }
    [[nodiscard]] std::span<const Word> phrase(std::size_t pair, std::size_t side) const noexcept
    {
        const std::size_t at = 2 * pair + side;
        return std::span(tokens).subspan(begin[at], begin[at + 1] - begin[at]);
    }
};

/// The keys of its sentences, ascending, each once.
std::vector<std::uint64_t> keys_of(const Corpus& corpus);

/// The sentences of evaluation sets, to be kept apart from training.
class EvaluatedSentences {
public:
    /// Begins a set, to which add() adds. Pairs with a sentence of it are counted, and left out where
    /// `is_excluded`.
    void begin(std::string name, bool is_excluded)
    {
        names_.push_back(std::move(name));
        is_excluded_ = is_excluded;
    }
    void add(std::string_view sentence)
    {
        if (const auto key = paragram::sentence_key(sentence))
            excluded_[*key] |= is_excluded_;
    }

    [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

    /// Whether a sentence is to be left out; nothing for one of no set.
    [[nodiscard]] std::optional<bool> find(std::string_view sentence) const
    {
        const auto key = excluded_.empty() ? std::nullopt : paragram::sentence_key(sentence);
        const auto at = key ? excluded_.find(*key) : excluded_.end();
        return at == excluded_.end() ? std::nullopt : std::optional(at->second);
    }

private:
    std::vector<std::string> names_;
    bool is_excluded_ = false;
    std::unordered_map<std::uint64_t, bool> excluded_;
};

/// Numbers of pairs by what became of them.
struct CorpusCounts {
    std::uint64_t read = 0;
    std::uint64_t equal = 0;       ///< both phrases are the same: nothing can be learnt
    std::uint64_t unknown = 0;     ///< a phrase has no known word
    std::uint64_t overlapping = 0; ///< a sentence stands in an evaluation set
    std::uint64_t excluded = 0;    ///< of these, left out
    std::uint64_t kept = 0;
};

/// Takes pairs one after the other.
class CorpusBuilder {
public:
    /// The references must outlive the builder.
    CorpusBuilder(const StartVectors& vectors, const EvaluatedSentences& evaluated);

    void add(std::string_view first, std::string_view second, double score = 0);

    [[nodiscard]] const CorpusCounts& counts() const noexcept { return counts_; }

    [[nodiscard]] Corpus take() { return std::move(corpus_); }

private:
    [[nodiscard]] Word number_of(const std::string& word);
    /// Appends the words; false where none is known.
    bool append(std::string_view phrase);
    /// Whether the pair is to be left out for its sentences; counts it where they are evaluated.
    bool is_excluded(std::string_view first, std::string_view second);

    const StartVectors& vectors_;
    const EvaluatedSentences& evaluated_;
    Corpus corpus_;
    CorpusCounts counts_;
};

} // namespace senteval::annex
