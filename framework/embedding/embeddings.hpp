// embeddings.hpp -- a list of sentences as columns of a store of vectors.
#pragma once

#include <armadillo>

#include <cstddef>
#include <cstdint>
#include <span>

namespace senteval::embedding {

/// Sentence i is column columns[i] of `store`; equal sentences may share a column. A view: it lives
/// as long as the store and the list of columns do.
struct Embeddings {
    const arma::fmat* store = nullptr; ///< dimension and padding x stored sentences
    std::span<const std::uint32_t> columns;
    /// Rows of the store below the vectors: a 1 and zeros, up to core::row_stride() of the dimension. None,
    /// or all of these; with them the vectors are known to be finite, and begin at a cache line.
    std::size_t padding = 0;

    [[nodiscard]] std::size_t size() const noexcept { return columns.size(); }
    [[nodiscard]] std::size_t dimension() const noexcept { return store->n_rows - padding; }
    [[nodiscard]] const float* vector(std::size_t i) const { return store->colptr(columns[i]); }

    /// A dense copy, dimension x n, one sentence per column, in the order of the list.
    [[nodiscard]] arma::fmat matrix() const;
};

} // namespace senteval::embedding
