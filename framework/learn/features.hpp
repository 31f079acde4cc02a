// features.hpp -- what a classifier sees of the embeddings: one vector for each item, never copied whole.
#pragma once

#include "embedding/embeddings.hpp"
#include "embedding/normalise.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace senteval::learn {

/// How the embeddings u and v of a pair become one vector.
enum class PairForm {
    difference_product, ///< |u-v|, u*v: 2d values (MRPC, SICK, STSBenchmark)
    concatenation       ///< u, v, u*v, |u-v|: 4d values (SNLI)
};

/// The features of n items, as a view of embeddings that outlive it. Cheap to copy; reading it from
/// several threads is safe. Those of pairs are formed when they are asked for.
class Features {
public:
    /// No items.
    Features() = default;

    static Features single(embedding::Embeddings items);

    /// Item i is the pair (u[i], v[i]). Throws base::Error when the two differ in number or dimension.
    static Features pair(embedding::Embeddings u, embedding::Embeddings v, PairForm form);

    /// Fits a treatment on the embeddings of `items`; those of pairs count one by one.
    [[nodiscard]] std::shared_ptr<const embedding::Normaliser>
    fit(embedding::Treatment treatment, std::span<const std::uint32_t> items) const;

    /// The same items, their features made of normalised embeddings. The normaliser is of their
    /// dimension.
    [[nodiscard]] Features
    normalised(std::shared_ptr<const embedding::Normaliser> normaliser) const;

    [[nodiscard]] std::size_t size() const noexcept { return u_.size(); }
    [[nodiscard]] std::size_t dimension() const noexcept;

    /// Whether every item is a vector that lies in memory as the kernels read it: row() then.
    [[nodiscard]] bool are_rows() const noexcept
    {
        return u_.padding != 0 && v_.store == nullptr && normaliser_ == nullptr;
    }
    /// The features of one item, finite, a 1 and zeros: core::row_stride(dimension()) values.
    [[nodiscard]] const float* row(std::size_t item) const { return u_.vector(item); }

    /// Writes the features of one item: dimension() values.
    void copy(std::size_t item, float* out) const;

private:
    /// The vector of an item: where it lies or, where it is normalised, in `scratch`.
    [[nodiscard]] const float*
    vector(const embedding::Embeddings& of, std::size_t item, float* scratch) const;

    embedding::Embeddings u_;
    embedding::Embeddings v_; ///< no store for single items
    PairForm form_ = PairForm::difference_product;
    std::shared_ptr<const embedding::Normaliser> normaliser_; ///< may be none
};

} // namespace senteval::learn
