// npy.hpp -- a matrix of floats in NumPy's file format, mapped instead of read.
#pragma once

#include "base/files.hpp"

#include <armadillo>

#include <algorithm>
#include <cstddef>
#include <string>

namespace senteval::tasks {

/// A two-dimensional array as numpy.save() writes it: rows x columns, float32, little-endian, C
/// order (format versions 1 to 3). The rows are the columns of matrix().
class NpyMatrix {
public:
    /// `name` is what errors call the file. Throws base::Error where the file is something else, is
    /// cut off, or holds a value that is not finite (naming its row).
    NpyMatrix(const std::string& name, base::MappedFile file);

    [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
    [[nodiscard]] std::size_t columns() const noexcept { return columns_; }

    /// Leaves out all rows but the first ones.
    void keep_rows(std::size_t count) { rows_ = std::min(rows_, count); }

    /// columns() x rows(), a view of the file.
    [[nodiscard]] arma::fmat matrix() const;

private:
    base::MappedFile file_;
    const float* values_ = nullptr;
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
};

} // namespace senteval::tasks
