// rows.hpp -- a file of vectors, one after the other, whatever its format.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// Of a file of NumPy, version 1 to 3: two dimensions, float16, float32 or float64 of either byte
/// order, rows or columns first.
std::unique_ptr<Rows> open_npy(const std::filesystem::path& file);

/// Of text: a row per line, its numbers separated by blanks, tabs or commas, at its end. Before them,
/// where `has_sentences`, the sentence and a tab, or a blank after a first line "ROWS DIMENSION" (as
/// word2vec writes) that tells how many numbers there are.
std::unique_ptr<Rows> open_text(const std::filesystem::path& file, bool has_sentences);

} // namespace senteval::precomputed
