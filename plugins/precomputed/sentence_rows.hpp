// sentence_rows.hpp -- which row belongs to a sentence.
#pragma once

#include "precomputed/rows.hpp"
#include "word_vectors/hash_slots.hpp"
#include "word_vectors/mapped_file.hpp"

#include <senteval/encoder.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace senteval::precomputed {

/// Vectors joined with the texts they belong to: a sentence is found where its bytes are equal. Immutable.
class SentenceRows {
public:
    /// `sentences`: a file with the sentence of each row, one per line; nothing where the vectors file
    /// names them. Throws sdk::Error where the numbers of rows and lines differ, and where a sentence
    /// stands twice with different vectors.
    SentenceRows(const std::filesystem::path& vectors,
                 const std::optional<std::filesystem::path>& sentences,
                 const sdk::Call& call);

    [[nodiscard]] const Rows& rows() const noexcept { return *rows_; }
    [[nodiscard]] std::optional<std::size_t> find(std::string_view sentence) const noexcept;

private:
    void read_lines(const std::filesystem::path& file, const sdk::Call& call);
    void build_index(const sdk::Call& call);
    void require_equal(std::size_t first, std::size_t second) const;

    std::optional<word_vectors::MappedFile> file_; ///< of the sentences, where they have one
    std::unique_ptr<Rows> rows_;
    std::vector<std::string_view> lines_;
    std::vector<word_vectors::Slot> slots_;
};

/// At most 60 bytes of a sentence, in quotes, for a message.
std::string shown(std::string_view sentence);

} // namespace senteval::precomputed
