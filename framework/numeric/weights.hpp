// weights.hpp -- a matrix of weights, laid out for products with several vectors at a time, and these vectors.
#pragma once

#include "numeric/kernels.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace senteval::numeric {

/// `count`, filled up to a multiple of `step`.
constexpr std::size_t filled_up(std::size_t count, std::size_t step)
{
    return (count + step - 1) / step * step;
}

class Weights {
public:
    /// Weights of `rows`, at least 1, and some inputs: those of an input lie one behind the other, in the order of
    /// the rows.
    Weights(std::span<const float> values, std::size_t rows);

    [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
    [[nodiscard]] std::size_t inputs() const noexcept { return inputs_; }
    [[nodiscard]] float at(std::size_t row, std::size_t input) const noexcept
    {
        const std::size_t at = place(row, input);
        return panels_[at / line_floats].values[at % line_floats];
    }
    /// The rows of a product: further ones are zero.
    [[nodiscard]] std::size_t output_rows() const noexcept { return filled_up(rows_, panel_rows); }

    /// Writes output_rows() x columns, from inputs() x columns. `columns` is a multiple of tile_columns. A
    /// column of the product has the same bits wherever it stands and whatever the others are.
    void multiply(const float* vectors,
                  std::size_t columns,
                  float* outputs,
                  const Kernels& with = kernels()) const;

private:
    static constexpr std::size_t line_floats = 16; ///< of a cache line
    static_assert(panel_rows % line_floats == 0);
    struct alignas(64) Line {
        std::array<float, line_floats> values{};
    };

    /// The place of an element in the panels.
    [[nodiscard]] std::size_t place(std::size_t row, std::size_t input) const noexcept
    {
        return (row / panel_rows * inputs_ + input) * panel_rows + row % panel_rows;
    }

    std::size_t rows_;
    std::size_t inputs_;
    std::vector<Line> panels_; ///< see Product::panels
};

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
    /// Multiplies the first `columns`.
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

} // namespace senteval::numeric
