// linear.hpp -- y = W x + b for many rows x: the products of a model, and the only door to oneDNN.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace senteval::transformer {

enum class Arithmetic { float32, bfloat16 };

/// Rows are multiplied in blocks of fixed sizes, so that the values of one do not depend on how many there are. Starts
/// no thread. apply() may be called from several threads at a time.
class Linear {
public:
    static constexpr std::size_t row_unit = 16;
    /// The rows that matrices of `rows` must have room for.
    static constexpr std::size_t padded(std::size_t rows)
    {
        return (rows + row_unit - 1) / row_unit * row_unit;
    }

    /// `weights`: outputs x inputs; they are copied in the layout of the processor. `bias`: as many as outputs, or none.
    Linear(std::span<const float> weights,
           std::size_t inputs,
           std::span<const float> bias,
           Arithmetic arithmetic);
    Linear(Linear&&) noexcept;
    Linear& operator=(Linear&&) noexcept;
    ~Linear();

    [[nodiscard]] std::size_t inputs() const noexcept { return inputs_; }
    [[nodiscard]] std::size_t outputs() const noexcept { return outputs_; }

    /// `in`: padded(rows) x inputs, `out`: padded(rows) x outputs; the rows behind `rows` hold anything.
    void apply(const float* in, std::size_t rows, float* out) const;

private:
    struct Primitives;

    std::size_t inputs_;
    std::size_t outputs_;
    Arithmetic arithmetic_;
    std::unique_ptr<Primitives> primitives_;
};

} // namespace senteval::transformer
