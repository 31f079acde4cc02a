// projection.hpp -- embeddings brought to a common dimension, so that encoders are compared at equal
// size (Eger, Rücklé & Gurevych 2019, section 3, "Size matters").
#pragma once

#include <armadillo>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace senteval::embedding {

enum class ProjectionKind {
    random, ///< the same linear map for every task
    pca     ///< the principal components of the task's own sentences: transductive
};

inline constexpr std::array<std::pair<std::string_view, ProjectionKind>, 2> projection_names{{
    {"random", ProjectionKind::random},
    {"pca", ProjectionKind::pca},
}};

constexpr std::string_view name(ProjectionKind kind)
{
    return projection_names[static_cast<std::size_t>(kind)].first;
}

/// Dimension to which embeddings are projected; those with no more dimensions stay.
struct ProjectionSettings {
    ProjectionKind kind = ProjectionKind::random;
    std::size_t dimension = 0; ///< at least 1

    /// Seed of the random maps.
    static constexpr std::uint64_t seed = 1111;
    /// Principal components are those of at most so many different sentences, evenly spread.
    static constexpr std::size_t samples = 2000;

    friend bool operator==(const ProjectionSettings&, const ProjectionSettings&) = default;
};

/// A linear map to fewer dimensions.
class Projection {
public:
    /// Independent normal entries of variance 1 / to, which keep squared lengths on average (Johnson
    /// & Lindenstrauss 1984; Dasgupta & Gupta 2003). The same for the same seed, everywhere. A row
    /// depends on the seed and its number only but for the scale. Throws base::Error where to is 0.
    static Projection random(std::size_t from, std::size_t to, std::uint64_t seed);

    /// The first principal components of the centred embeddings (dimension x n), found exactly in
    /// double: time grows with n * dimension * min(n, dimension). The sign of a component makes its
    /// largest entry positive; components beyond the rank of the embeddings are zero. Throws
    /// base::Error where to is 0 or above the dimension.
    static Projection principal(const arma::fmat& embeddings, std::size_t to);

    /// Columns of `embeddings` (from x n) as to x n. The image of a sentence does not depend on the
    /// others, to the last bit. Throws base::Error for another dimension.
    [[nodiscard]] arma::fmat apply(const arma::fmat& embeddings) const;

    /// The same for one vector of `from` floats, to `out` of `to`. Throws as above.
    void apply(std::span<const float> vector, float* out) const;

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
