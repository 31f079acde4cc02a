// search.hpp -- the documents with the highest scores for each query, exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace senteval::measures {

/// Vectors in single precision, `dimension` floats each, one after the other.
struct Documents {
    std::size_t count = 0; ///< below 2^32
    /// Writes the vectors of the documents first ... first + number - 1. It is called from several threads at once, with a
    /// few dozen documents a time: they may lie in a mapped file.
    std::function<void(std::size_t first, std::size_t number, float* vectors)> copy;
    /// All documents by ascending id: of equal scores the later one here counts more. Empty: in their own order.
    std::span<const std::uint32_t> by_id;
};

/// Cosine: vectors, brought into range where they are tiny or huge, are divided by their length, rounded, then multiplied.
/// That of a zero vector is 0. One so near to 0 that rounding may have made all of it is computed anew from the vectors as
/// they are, without loss: that of orthogonal vectors is 0.
enum class Similarity { dot, cosine };

struct Hit {
    std::uint32_t document = 0;
    float score = 0;
    bool operator==(const Hit&) const = default;
};

/// The k best documents of each query, best first; all of them if there are fewer. `queries`: vectors as the documents'.
///
/// A score is a sum over the dimensions, first to last: the same bits wherever the two vectors stand, on any number of
/// threads and any processor. Values are finite; a score that overflows is infinite. Memory: besides the result, 16 k
/// bytes for each of 1 008 queries and each thread. Throws base::Error where the sizes do not fit.
std::vector<std::vector<Hit>> search(std::span<const float> queries,
                                     std::size_t dimension,
                                     const Documents& documents,
                                     std::size_t k,
                                     Similarity similarity,
                                     unsigned threads);

} // namespace senteval::measures
