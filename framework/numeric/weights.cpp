#include "numeric/weights.hpp"

#include <algorithm>

namespace senteval::numeric {

Weights::Weights(std::span<const float> values, std::size_t rows)
    : rows_(rows), inputs_(values.size() / rows), panels_(output_rows() * inputs_ / line_floats)
{
    for (std::size_t k = 0; k < inputs_; ++k)
        for (std::size_t row = 0; row < rows_; row += line_floats)
            std::copy_n(&values[k * rows_ + row], std::min(line_floats, rows_ - row),
                        panels_[place(row, k) / line_floats].values.begin());
}

void Weights::multiply(const float* vectors,
                       std::size_t columns,
                       float* outputs,
                       const Kernels& with) const
{
    if (panels_.empty())
        return;
    with.multiply({.panels = panels_.front().values.data(),
                   .panel_count = output_rows() / panel_rows,
                   .inputs = inputs_,
                   .vectors = vectors,
                   .columns = columns,
                   .outputs = outputs});
}

} // namespace senteval::numeric
