// vector_store.hpp -- the vectors of a task's sentences: columns in memory or in a file, kept in the cache.
#pragma once

#include "embedding/embeddings.hpp"
#include "encoder/cache.hpp"
#include "encoder/sentences.hpp"
#include "encoder/vector_memory.hpp"

#include <armadillo>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace senteval::encoder {

/// Invariant: column c belongs to the sentence that was the c-th to be added, and holds its vector unless add()
/// returned a slot for it that nobody has filled: then clear() has to follow. Where columns are shared, equal
/// sentences have one. A list that is asked for again has the columns that it had.
class VectorStore {
public:
    /// Releases vectors and cache.
    void close();

    /// Makes room for so many sentences; a closed store only. Throws base::Error where there is none.
    void open(std::size_t dimension, std::size_t sentences, bool shares, const SpillOptions& spill);

    /// Vectors of this key are taken from the cache, and kept there by save(). It must outlive the store.
    void use_cache(const EmbeddingCache& cache, std::string key);

    /// The columns of a list that was added before; nullptr where it was not.
    [[nodiscard]] const std::vector<std::uint32_t>*
    find(std::span<const text::Sentence> sentences) const;

    /// Columns for a list; `missing` gets the slots that have no vector yet. Throws base::Error where there is no
    /// room left.
    std::span<const std::uint32_t> add(std::span<const text::Sentence> sentences,
                                       std::vector<Slot>& missing);

    /// These slots have been filled, and save() is to keep them.
    void keep(std::span<const Slot> filled);

    /// Writes what is to be kept into the cache, if there is one. Throws base::Error where that fails.
    void save();

    /// Forgets all sentences.
    void clear();

    [[nodiscard]] embedding::Embeddings vectors(std::span<const std::uint32_t> columns) const
    {
        return {&vectors_, columns, vectors_.n_rows - dimension_};
    }
    [[nodiscard]] std::span<const float> vector(std::size_t column) const
    {
        return {vectors_.colptr(column), dimension_};
    }
    [[nodiscard]] std::size_t size() const noexcept { return sentences_.size(); }

    /// All sentences with their vectors; valid until the store changes.
    [[nodiscard]] std::vector<Slot> slots();
    [[nodiscard]] std::size_t capacity() const noexcept { return vectors_.n_cols; }

    /// The number of sentences, where all have the same vector although they differ; 0 otherwise.
    [[nodiscard]] std::size_t all_alike() const;

    /// The number of vectors that the cache delivered since open().
    [[nodiscard]] std::size_t cached() const noexcept { return cached_; }

private:
    std::uint32_t new_column(const text::Sentence& sentence);

    std::size_t dimension_ = 0;
    bool shares_ = false;
    VectorMemory memory_;
    arma::fmat vectors_;                    ///< core::row_stride() of the dimension x capacity
    std::vector<text::Sentence> sentences_; ///< of the columns that are taken
    std::unordered_map<text::Sentence, std::uint32_t, text::SentenceHash> column_of_;
    std::deque<std::vector<std::uint32_t>> lists_;
    const EmbeddingCache* cache_ = nullptr; ///< none where nothing is cached
    std::string key_;
    CachedVectors present_;       ///< in the cache when the store was opened
    std::vector<CacheEntry> new_; ///< what save() is to write
    std::size_t cached_ = 0;
};

} // namespace senteval::encoder
