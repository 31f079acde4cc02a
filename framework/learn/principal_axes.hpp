// principal_axes.hpp -- the directions along which the rows of a design matrix vary.
#pragma once

#include "learn/design_matrix.hpp"

#include <armadillo>

#include <cstddef>
#include <cstdint>
#include <span>

namespace senteval::learn {

/// The features of some rows in double precision, one column each.
arma::mat features_of(const DesignMatrix& matrix, std::span<const std::uint32_t> rows);

struct PrincipalAxes {
    arma::vec mean; ///< of the features over all rows
    /// Orthonormal columns that span the rows less their mean. None where that takes too long: where there are more
    /// than most_sides features, and items.
    arma::mat axes;
    double scale =
        1; ///< root of the mean square of the rows less their mean along the longest axis, or of a feature

    static constexpr std::size_t most_sides = 1536;

    explicit PrincipalAxes(const DesignMatrix& matrix);
};

} // namespace senteval::learn
