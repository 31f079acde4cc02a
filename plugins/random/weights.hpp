// weights.hpp -- numeric/weights.hpp, of Armadillo's matrices.
#pragma once

#include "numeric/weights.hpp"

#include <armadillo>

namespace senteval::random {

using numeric::Block;
using numeric::block_columns;
using numeric::tile_columns;

class Weights : public numeric::Weights {
public:
    explicit Weights(const arma::fmat& matrix)
        : numeric::Weights({matrix.memptr(), matrix.n_elem}, matrix.n_rows)
    {
    }

    [[nodiscard]] arma::fmat matrix() const ///< as it was given
    {
        arma::fmat matrix(rows(), inputs());
        for (std::size_t k = 0; k < inputs(); ++k)
            for (std::size_t row = 0; row < rows(); ++row)
                matrix(row, k) = at(row, k);
        return matrix;
    }
};

} // namespace senteval::random
