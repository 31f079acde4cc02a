#include "random/weights.hpp"

#include <algorithm>

namespace senteval::random {

Weights::Weights(const arma::fmat& matrix)
    : rows_(matrix.n_rows), inputs_(matrix.n_cols), panels_(output_rows() * inputs_ / line_floats)
{
    for (std::size_t k = 0; k < inputs_; ++k)
        for (std::size_t row = 0; row < rows_; row += line_floats)
            std::copy_n(matrix.colptr(k) + row, std::min(line_floats, rows_ - row),
                        panels_[place(row, k) / line_floats].values.begin());
}

arma::fmat Weights::matrix() const
{
    arma::fmat matrix(rows_, inputs_);
    for (std::size_t k = 0; k < inputs_; ++k)
        for (std::size_t row = 0; row < rows_; ++row) {
            const std::size_t at = place(row, k);
            matrix(row, k) = panels_[at / line_floats].values[at % line_floats];
        }
    return matrix;
}

void Weights::multiply(const float* vectors,
                       std::size_t columns,
                       float* outputs,
                       const numeric::Kernels& kernels) const
{
    if (panels_.empty())
        return;
    kernels.multiply({.panels = panels_.front().values.data(),
                      .panel_count = output_rows() / panel_rows,
                      .inputs = inputs_,
                      .vectors = vectors,
                      .columns = columns,
                      .outputs = outputs});
}

} // namespace senteval::random
