// block.hpp -- products of a weight matrix with several columns at a time, always in the same shape.
//
// A matrix product may round a column differently in the company of more or fewer columns, because
// the library picks its kernel by shape. Here every product has `block_columns` columns, filled up
// with whatever is there where fewer are needed, so that the bits of a column depend on that column
// alone, and a sentence gets the same vector in every batch.
#pragma once

#include <armadillo>

#include <cstddef>
#include <span>

namespace senteval::random {

inline constexpr std::size_t block_columns = 32;

class Block {
public:
    /// A block for products with `weights`, which must outlive it; the columns are zero.
    explicit Block(const arma::fmat& weights)
        : weights_(weights),
          input_(weights.n_cols, block_columns),
          output_(weights.n_rows, block_columns)
    {
        input_.zeros();
    }

    [[nodiscard]] std::span<float> input(std::size_t column)
    {
        return {input_.colptr(column), input_.n_rows};
    }
    void multiply() { output_ = weights_ * input_; }
    [[nodiscard]] std::span<const float> output(std::size_t column) const
    {
        return {output_.colptr(column), output_.n_rows};
    }

private:
    const arma::fmat& weights_;
    arma::fmat input_;
    arma::fmat output_;
};

} // namespace senteval::random
