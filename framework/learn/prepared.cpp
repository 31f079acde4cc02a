#include "learn/prepared.hpp"

#include <algorithm>
#include <utility>

namespace senteval::learn {

SharedNormaliser fit_normaliser(const Dataset& data, embedding::Treatment kind, Rows rows)
{
    return kind == embedding::Normalisation::none ? nullptr : data.features.fit(kind, rows);
}

Prepared::Prepared(const Dataset& data, SharedNormaliser by)
    : normaliser(std::move(by)),
      matrix(data.features.normalised(normaliser),
             normaliser == nullptr ? RowStorage::shared() : RowStorage()),
      labels(data.labels)
{
}

Normalised::Normalised(const Dataset& data, std::span<const embedding::Treatment> kinds)
    : data_(data), kinds_(kinds)
{
    for (const embedding::Treatment& kind : kinds)
        shared_.push_back(embedding::is_fitted(kind) ? nullptr : prepare(kind, {}));
}

std::shared_ptr<const Prepared> Normalised::fitted(std::size_t number, Rows rows) const
{
    return shared_[number] != nullptr ? shared_[number] : prepare(kinds_[number], rows);
}

bool Normalised::fits_nothing() const
{
    return std::ranges::find(shared_, nullptr) == shared_.end();
}

std::shared_ptr<const Prepared> Normalised::prepare(embedding::Treatment kind, Rows rows) const
{
    return std::make_shared<const Prepared>(data_, fit_normaliser(data_, kind, rows));
}

} // namespace senteval::learn
