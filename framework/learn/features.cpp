#include "learn/features.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::learn {

Features Features::single(Columns items)
{
    Features features;
    features.u_ = items;
    return features;
}

Features Features::pair(Columns u, Columns v, PairForm form)
{
    if (u.index.size() != v.index.size() || u.matrix->n_rows != v.matrix->n_rows)
        throw core::Error(
            "pairs need as many second as first sentences, of one dimension: got {} of "
            "{} and {} of {} dimensions",
            u.index.size(), u.matrix->n_rows, v.index.size(), v.matrix->n_rows);
    Features features;
    features.u_ = u;
    features.v_ = v;
    features.form_ = form;
    return features;
}

std::size_t Features::dimension() const noexcept
{
    if (u_.matrix == nullptr)
        return 0;
    if (v_.matrix == nullptr)
        return u_.matrix->n_rows;
    return u_.matrix->n_rows * (form_ == PairForm::concatenation ? 4 : 2);
}

void Features::copy(std::size_t item, float* out) const
{
    const std::size_t d = u_.matrix->n_rows;
    const float* const u = u_.column(item);
    if (v_.matrix == nullptr) {
        std::copy_n(u, d, out);
        return;
    }
    const float* const v = v_.column(item);
    float* difference = out;
    float* product = out + d;
    if (form_ == PairForm::concatenation) {
        std::copy_n(u, d, out);
        std::copy_n(v, d, out + d);
        product = out + 2 * d;
        difference = out + 3 * d;
    }
    for (std::size_t f = 0; f < d; ++f) {
        difference[f] = std::fabs(u[f] - v[f]);
        product[f] = u[f] * v[f];
    }
}

void Features::gather(std::span<const std::uint32_t> items, float* out) const
{
    const std::size_t d = dimension();
    for (const std::uint32_t item : items) {
        copy(item, out);
        out += d;
    }
}

} // namespace senteval::learn
