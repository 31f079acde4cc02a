// variant.hpp -- a smaller form of an encoder's vectors: `256`, `128:int8`, `binary`.
//
// What is done to vectors stands in this order: layer normalisation, fewer dimensions (the first of them, or a
// projection), a normalisation, fewer bits.
#pragma once

#include "embedding/normalise.hpp"
#include "embedding/quantise.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace senteval::embedding {

struct Variant {
    bool layer_norm = false;   ///< each vector is brought to mean 0 and deviation 1 first
    std::size_t dimension = 0; ///< so many first values; 0: all
    Precision precision = Precision::float32;

    /// "layer:256:int8": each part may be missing, but not all. Nothing where the text is no variant.
    static std::optional<Variant> parse(std::string_view text);

    [[nodiscard]] std::string label() const; ///< as parse() reads it; empty: all of the vectors
    [[nodiscard]] bool is_full() const { return *this == Variant(); }

    /// Whether vectors of that dimension have a form of their own under it.
    [[nodiscard]] bool is_smaller(std::size_t than) const
    {
        return dimension < than ||
               (dimension == than && (layer_norm || precision != Precision::float32));
    }
    /// Whether vectors of that dimension are copied: all but the precision, which protocols see to.
    [[nodiscard]] bool copies(std::size_t than) const
    {
        return layer_norm || (dimension > 0 && dimension < than);
    }
    /// Dimension of the variant of vectors of dimension `full`.
    [[nodiscard]] std::size_t dimension_of(std::size_t full) const
    {
        return dimension == 0 ? full : dimension;
    }

    /// The first out.size() values of a vector, of one that is normalised as a layer of a network is: mean 0 and
    /// deviation 1 (over n), with 1e-5 added to the variance as torch.nn.functional.layer_norm() does.
    void copy(std::span<const float> vector, std::span<float> out) const;

    friend bool operator==(const Variant&, const Variant&) = default;
};

} // namespace senteval::embedding
