// geometry.hpp -- how vectors lie in their space, whatever the task.
#pragma once

#include <armadillo>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace senteval::embedding {

/// Of vectors of length 1; NaN where it is not defined.
struct Geometry {
    std::size_t texts = 0;
    std::size_t pairs = 0;
    double alignment =
        0; ///< mean of |x - y|^2 over pairs that are alike (Wang & Isola 2020, alpha = 2)
    double uniformity =
        0; ///< log of the mean of exp(-2 |x - y|^2) over all pairs of texts (the same, t = 2)
    /// exp of the entropy of the singular values, divided by their sum, of the texts x dimension matrix (Roy & Vetterli 2007).
    double effective_rank = 0;
    /// Skewness of how often a text is among the ten nearest (by cosine) of the others (Radovanovic, Nanopoulos & Ivanovic 2010).
    double hubness = 0;
};

inline constexpr std::size_t hubness_neighbours = 10;

/// `vectors`: dimension x n, a text a column; those of length 0 stay as they are. `alike`: columns. Time n^2 x dimension.
Geometry geometry_of(const arma::fmat& vectors,
                     std::span<const std::pair<std::uint32_t, std::uint32_t>> alike);

} // namespace senteval::embedding
