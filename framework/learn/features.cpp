#include "learn/features.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

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

std::shared_ptr<const embedding::Normaliser>
Features::fit(embedding::Normalisation kind, std::span<const std::uint32_t> items) const
{
    std::vector<const float*> vectors;
    for (const Columns* side : {&u_, &v_})
        if (side->matrix != nullptr)
            for (const std::uint32_t item : items)
                vectors.push_back(side->column(item));
    return std::make_shared<const embedding::Normaliser>(kind, vectors, u_.matrix->n_rows);
}

Features Features::normalised(std::shared_ptr<const embedding::Normaliser> normaliser) const
{
    Features features = *this;
    features.normaliser_ = std::move(normaliser);
    return features;
}

const float* Features::embedding(const Columns& of, std::size_t item, float* scratch) const
{
    const float* const vector = of.column(item);
    if (normaliser_ == nullptr)
        return vector;
    normaliser_->apply({vector, of.matrix->n_rows}, scratch);
    return scratch;
}

void Features::copy(std::size_t item, float* out) const
{
    const std::size_t d = u_.matrix->n_rows;
    const float* const u = embedding(u_, item, out);
    if (v_.matrix == nullptr) {
        if (u != out)
            std::copy_n(u, d, out);
        return;
    }
    const float* const v = embedding(v_, item, out + d);
    float* difference = out;
    float* product = out + d;
    if (form_ == PairForm::concatenation) {
        if (u != out) {
            std::copy_n(u, d, out);
            std::copy_n(v, d, out + d);
        }
        product = out + 2 * d;
        difference = out + 3 * d;
    }
    for (std::size_t f = 0; f < d; ++f) {
        const float a = u[f]; // u and v may lie where the results go
        const float b = v[f];
        difference[f] = std::fabs(a - b);
        product[f] = a * b;
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
