#include "learn/features.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace senteval::learn {

using embedding::Embeddings;

Features Features::single(Embeddings items)
{
    Features features;
    features.u_ = items;
    return features;
}

Features Features::pair(Embeddings u, Embeddings v, PairForm form)
{
    if (u.size() != v.size() || u.dimension() != v.dimension())
        throw base::Error(
            "pairs need as many second as first sentences, of one dimension: got {} of "
            "{} and {} of {} dimensions",
            u.size(), u.dimension(), v.size(), v.dimension());
    Features features;
    features.u_ = u;
    features.v_ = v;
    features.form_ = form;
    return features;
}

std::size_t Features::dimension() const noexcept
{
    if (u_.store == nullptr)
        return 0;
    if (v_.store == nullptr)
        return u_.dimension();
    return u_.dimension() * (form_ == PairForm::concatenation ? 4 : 2);
}

std::shared_ptr<const embedding::Normaliser>
Features::fit(embedding::Treatment treatment, std::span<const std::uint32_t> items) const
{
    std::vector<const float*> vectors;
    for (const Embeddings* side : {&u_, &v_})
        if (side->store != nullptr)
            for (const std::uint32_t item : items)
                vectors.push_back(side->vector(item));
    return std::make_shared<const embedding::Normaliser>(treatment, vectors, u_.dimension());
}

Features Features::normalised(std::shared_ptr<const embedding::Normaliser> normaliser) const
{
    Features features = *this;
    features.normaliser_ = std::move(normaliser);
    return features;
}

const float* Features::vector(const Embeddings& of, std::size_t item, float* scratch) const
{
    const float* const stored = of.vector(item);
    if (normaliser_ == nullptr)
        return stored;
    normaliser_->apply({stored, of.dimension()}, scratch);
    return scratch;
}

void Features::copy(std::size_t item, float* out) const
{
    const std::size_t d = u_.dimension();
    const float* const u = vector(u_, item, out);
    if (v_.store == nullptr) {
        if (u != out)
            std::copy_n(u, d, out);
        return;
    }
    const float* const v = vector(v_, item, out + d);
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

} // namespace senteval::learn
