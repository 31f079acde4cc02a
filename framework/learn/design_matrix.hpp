// design_matrix.hpp -- features laid out for the kernels: padded rows with a constant 1 for the bias.
#pragma once

#include "learn/aligned.hpp"
#include "learn/features.hpp"
#include "learn/kernels.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::learn {

/// One row for each item: its features, a 1, and zeros up to stride(). Rows are stored where all of
/// them fit into the memory limit, and formed batch by batch where they do not. Reading is safe from
/// several threads.
class DesignMatrix {
public:
    static constexpr std::size_t default_memory_limit = std::size_t{1} << 29; ///< bytes

    /// The features' embeddings must outlive the matrix. Throws core::Error naming the first item
    /// with a feature that is not finite.
    explicit DesignMatrix(const Features& features,
                          std::size_t memory_limit = default_memory_limit);

    [[nodiscard]] std::size_t size() const noexcept { return features_.size(); }
    [[nodiscard]] std::size_t inputs() const noexcept { return features_.dimension(); } ///< no bias
    [[nodiscard]] std::size_t stride() const noexcept { return stride_; }
    [[nodiscard]] bool stored() const noexcept { return !rows_.empty(); }

    /// A batch of rows, as the kernels read them.
    class Batch {
    public:
        /// For at most `capacity` rows.
        Batch(const DesignMatrix& matrix, std::size_t capacity);

        /// Points to the given rows; forms them first where they are not stored. `next` are those of
        /// the batch after this one, where they are known.
        void load(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> next = {});

        [[nodiscard]] std::size_t size() const noexcept { return size_; }

        /// Valid until the next load().
        [[nodiscard]] RowPointers rows() const noexcept;

    private:
        void point(std::span<const std::uint32_t> rows, std::vector<const float*>& pointers) const;

        const DesignMatrix* matrix_;
        std::size_t size_ = 0;
        AlignedVector<float> formed_;
        std::vector<const float*> pointers_;
        std::vector<const float*> next_; ///< empty: not known
    };

private:
    void form(std::size_t item, float* row) const;

    Features features_;
    std::size_t stride_ = 0;
    AlignedVector<float> rows_;
};

} // namespace senteval::learn
