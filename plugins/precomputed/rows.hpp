// rows.hpp -- a file of vectors, one after the other, and which of them belongs to a sentence.
#pragma once

#include "base/refuse.hpp"

#include <senteval/encoder.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace senteval::precomputed {

/// Immutable once opened: may be read from several threads at a time.
class Rows {
public:
    Rows() = default;
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;
    Rows(Rows&&) = delete;
    Rows& operator=(Rows&&) = delete;
    virtual ~Rows() = default;

    [[nodiscard]] virtual std::size_t size() const noexcept = 0;      ///< rows; may be 0
    [[nodiscard]] virtual std::size_t dimension() const noexcept = 0; ///< at least 1

    /// The dimension() values of a row. Throws sdk::Error naming file and place where one is not a
    /// number; infinities and NaN are passed on.
    virtual void read(std::size_t row, std::span<float> out) const = 0;

    /// "FILE: row 5" or "FILE:5", as an editor or a library counts.
    [[nodiscard]] virtual std::string where(std::size_t row) const = 0;

    /// The sentence of each row, where the file holds them too; else nothing.
    [[nodiscard]] virtual const std::vector<std::string_view>* sentences() const noexcept = 0;
};

/// Opens NPY or text, judged by its first bytes. `has_sentences`: that the file itself names the
/// sentence of each row, as no NPY file does. Throws sdk::Error naming the file and what is wrong with
/// it: sizes are checked against the file before anything is read.
std::unique_ptr<Rows> open_rows(const std::filesystem::path& file, bool has_sentences);

/// Rows of a text: a row per line, its numbers separated by blanks, tabs or commas, at its end. Before them, where
/// `has_sentences`, the sentence and a tab, or a blank after a first line "ROWS DIMENSION" (as word2vec writes) with
/// the number of numbers.
std::unique_ptr<Rows> open_text(const std::filesystem::path& file, bool has_sentences);

/// Vectors joined with the texts they belong to: a sentence is found where its bytes are equal. Immutable.
class SentenceRows {
public:
    /// `sentences`: a file with the sentence of each row, one per line; nothing where the vectors file
    /// names them. Its lines are JSON where the first begins with {"text":, and may then say a role. Throws sdk::Error
    /// where the numbers of rows and lines differ, and where a sentence stands twice with different vectors.
    SentenceRows(const std::filesystem::path& vectors,
                 const std::optional<std::filesystem::path>& sentences,
                 const sdk::Call& call);

    [[nodiscard]] const Rows& rows() const noexcept { return *rows_; }

    /// The row of a sentence in that role, else of one that says none.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view sentence, sdk::Role role) const;
    /// Whether there is one in any role.
    [[nodiscard]] bool has(std::string_view sentence) const
    {
        return std::ranges::any_of(
            first_rows_, [&](const auto& rows) { return rows.second.contains(sentence); });
    }

private:
    void read_json(std::string_view line, const std::string& where);
    void read_lines(const std::filesystem::path& file, const sdk::Call& call);
    void build_index(const sdk::Call& call);
    void require_equal(std::size_t first, std::size_t second) const;

    std::optional<base::MappedFile> file_; ///< of the sentences, where they have one
    std::unique_ptr<Rows> rows_;
    std::deque<std::string> decoded_; ///< of JSON
    std::vector<std::string_view> lines_;
    std::vector<sdk::Role> roles_; ///< of the lines; empty: they say none
    std::map<sdk::Role, std::unordered_map<std::string_view, std::size_t>> first_rows_;
};

/// A sentence in quotes for a message, cut to 60 bytes.
std::string shown(std::string_view sentence);

} // namespace senteval::precomputed
