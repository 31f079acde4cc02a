// block.hpp -- the vectors that weights are multiplied by together, and their products.
#pragma once

#include "random/weights.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace senteval::random {

inline constexpr std::size_t block_columns = 32;
static_assert(block_columns % tile_columns == 0);

class Block {
public:
    /// A block for products with `weights`, which must outlive it; the columns are zero.
    explicit Block(const Weights& weights)
        : weights_(weights),
          inputs_(weights.inputs() * block_columns),
          outputs_(weights.output_rows() * block_columns)
    {
    }

    [[nodiscard]] std::span<float> input(std::size_t column)
    {
        return std::span(inputs_).subspan(column * weights_.inputs(), weights_.inputs());
    }
    /// Of the first `columns`.
    void multiply(std::size_t columns)
    {
        weights_.multiply(inputs_.data(), filled_up(columns, tile_columns), outputs_.data());
    }
    [[nodiscard]] std::span<const float> output(std::size_t column) const
    {
        return std::span(outputs_).subspan(column * weights_.output_rows(), weights_.rows());
    }

private:
    const Weights& weights_;
    std::vector<float> inputs_;
    std::vector<float> outputs_;
};

} // namespace senteval::random
