// projection.hpp -- embeddings brought to a common dimension, so that encoders are compared at equal
// size (Eger, Rücklé & Gurevych 2019, section 3, "Size matters").
#pragma once

#include <armadillo>

#include <cstddef>
#include <cstdint>

namespace senteval::embedding {

/// A linear map to fewer dimensions.
class Projection {
public:
    /// Independent normal entries of variance 1 / to, which keep squared lengths on average (Johnson
    /// & Lindenstrauss 1984; Dasgupta & Gupta 2003). The same for the same seed, everywhere. A row
    /// depends on the seed and its number only but for the scale. Throws core::Error where to is 0.
    static Projection random(std::size_t from, std::size_t to, std::uint64_t seed);

    /// The first principal components of the centred embeddings (dimension x n), found exactly in
    /// double: time grows with n * dimension * min(n, dimension). The sign of a component makes its
    /// largest entry positive; components beyond the rank of the embeddings are zero. Throws
    /// core::Error where to is 0 or above the dimension.
    static Projection principal(const arma::fmat& embeddings, std::size_t to);

    /// Columns of `embeddings` (from x n) as to x n. The image of a sentence does not depend on the
    /// others, to the last bit. Throws core::Error for another dimension.
    [[nodiscard]] arma::fmat apply(const arma::fmat& embeddings) const;

    /// to x from.
    [[nodiscard]] const arma::fmat& matrix() const noexcept { return matrix_; }

private:
    Projection(arma::fmat matrix, arma::vec mean)
        : matrix_(std::move(matrix)), mean_(std::move(mean))
    {
    }

    arma::fmat matrix_;
    arma::vec mean_; ///< subtracted first; empty for a random projection
};

} // namespace senteval::embedding
