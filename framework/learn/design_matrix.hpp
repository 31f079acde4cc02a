// design_matrix.hpp -- features laid out for the kernels: padded rows with a constant 1 for the bias.
#pragma once

#include "learn/aligned.hpp"
#include "learn/features.hpp"
#include "learn/kernels.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace senteval::learn {

struct PrincipalAxes;

/// When a design matrix stores its rows, and how. What is computed from them does not depend on it.
struct RowStorage {
    std::size_t memory_limit = std::size_t{1} << 29; ///< bytes
    double sparse_share = 1.0 / 32;                  ///< of values that are not 0: sparse below it

    /// Storage for a matrix of which there is one at a time: up to a sixteenth of the memory there is.
    static RowStorage shared();
};

/// One row for each item: its features, a 1, and zeros up to stride(). Rows are stored by their nonzero
/// values where these are few; else they are read where the features lie, if those are rows; else stored
/// as they are, where all of them fit into the memory limit; else formed batch by batch. Reading is safe
/// from several threads.
class DesignMatrix {
public:
    /// The features' embeddings must outlive the matrix. Throws base::Error naming the first item
    /// with a feature that is not finite.
    explicit DesignMatrix(const Features& features, const RowStorage& storage = {});

    [[nodiscard]] std::size_t size() const noexcept { return features_.size(); }
    [[nodiscard]] std::size_t inputs() const noexcept { return features_.dimension(); } ///< no bias
    [[nodiscard]] std::size_t stride() const noexcept { return stride_; }
    /// Whether no row has to be formed.
    [[nodiscard]] bool stored() const noexcept { return rows_ != nullptr || features_.are_rows(); }
    [[nodiscard]] bool sparse() const noexcept { return !begins_.empty(); }

    /// Found when they are first asked for.
    [[nodiscard]] const PrincipalAxes& principal_axes() const;

    /// A batch of rows, as the kernels read them.
    class Batch {
    public:
        /// How rows() gives the rows of a sparse matrix.
        enum class Form { dense, sparse };

        /// A batch of at most `capacity` rows.
        Batch(const DesignMatrix& matrix, std::size_t capacity, Form form = Form::dense);

        /// Points to the given rows; forms them first where they are not stored. `next` are those of
        /// the batch after this one, where they are known.
        void load(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> next = {});

        [[nodiscard]] std::size_t size() const noexcept { return size_; }

        /// Valid until the next load().
        [[nodiscard]] RowPointers rows() const noexcept;

    private:
        void point(std::span<const std::uint32_t> rows, std::vector<const float*>& pointers) const;

        const DesignMatrix* matrix_;
        bool sparse_;
        std::size_t size_ = 0;
        AlignedVector<float> formed_;
        std::vector<const float*> pointers_;
        std::vector<const float*> next_; ///< empty: not known
        std::vector<SparseRow> sparse_rows_;
    };

private:
    [[nodiscard]] bool store_sparse(double most_share);
    void store_dense(std::size_t memory_limit);
    void form(std::size_t item, float* row) const;
    [[nodiscard]] const float* row(std::size_t item) const
    {
        return rows_ != nullptr ? rows_.get() + item * stride_ : features_.row(item);
    }
    [[nodiscard]] SparseRow sparse_row(std::size_t item) const;

    Features features_;
    std::size_t stride_ = 0;
    core::FloatBlock rows_;
    std::vector<std::size_t>
        begins_; ///< of each item's nonzero values, and their number; else empty
    std::vector<std::uint32_t> places_;
    std::vector<float> values_;
    mutable std::once_flag axes_once_;
    mutable std::shared_ptr<const PrincipalAxes> axes_;
};

} // namespace senteval::learn
