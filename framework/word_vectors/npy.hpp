// npy.hpp -- a matrix in NumPy's file format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace senteval::word_vectors {

/// A view of the bytes of a file that numpy.save() wrote, version 1 to 3: two dimensions, float16, float32 or
/// float64 of either byte order, rows or columns first.
class NpyArray {
public:
    /// Throws std::invalid_argument saying what is wrong: sizes are checked against the bytes.
    explicit NpyArray(std::string_view bytes);

    [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
    [[nodiscard]] std::size_t columns() const noexcept { return columns_; } ///< at least 1

    [[nodiscard]] float at(std::size_t row, std::size_t column) const;

    /// The values, one row after the other; nullptr where they are not stored as float32 of this machine.
    [[nodiscard]] const float* floats() const noexcept;

private:
    void read_dictionary(std::string_view text);

    std::string_view data_;
    std::uint64_t rows_ = 0;
    std::uint64_t columns_ = 0;
    std::size_t width_ = 0; ///< bytes of a value
    bool by_columns_ = false;
    bool swapped_ = false;
};

} // namespace senteval::word_vectors
