#include "stats/products.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace senteval::stats {
namespace {

template <typename Visit>
void for_each_source(const Sources& sources, std::size_t item, Visit visit)
{
    visit(sources.first[item]);
    if (sources.second[item] != sources.first[item])
        visit(sources.second[item]);
}

std::size_t count_of(const Sources& sources)
{
    std::uint32_t most = 0;
    for (const auto* ids : {&sources.first, &sources.second})
        for (const std::uint32_t id : *ids)
            most = std::max(most, id);
    return most + std::size_t{1};
}

} // namespace

/// In eight partial sums, so that the order of the sum is fixed and processors can add several at once.
double dot(const Column& a, const Column& b)
{
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> sums{};
    const std::size_t whole = a.size() - a.size() % lanes;
    for (std::size_t i = 0; i < whole; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            sums[lane] += a[i + lane] * b[i + lane];
    double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
    for (std::size_t i = whole; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

std::vector<std::uint32_t> clusters_of(const Sources& sources)
{
    const std::size_t items = sources.first.size();
    std::vector<std::uint32_t> parent(count_of(sources));
    std::iota(parent.begin(), parent.end(), 0U);
    const auto root = [&](std::uint32_t of) {
        while (parent[of] != of)
            of = parent[of] = parent[parent[of]];
        return of;
    };
    for (std::size_t item = 0; item < items; ++item)
        parent[root(sources.first[item])] = root(sources.second[item]);
    constexpr std::uint32_t unseen = ~std::uint32_t{0};
    std::vector<std::uint32_t> number(parent.size(), unseen);
    std::vector<std::uint32_t> clusters;
    std::uint32_t count = 0;
    for (std::size_t item = 0; item < items; ++item) {
        std::uint32_t& own = number[root(sources.first[item])];
        if (own == unseen)
            own = count++;
        clusters.push_back(own);
    }
    return count == items ? std::vector<std::uint32_t>() : clusters;
}

Products::Products(std::size_t items, const Sources& sources) : items_(items)
{
    if (sources.first.empty())
        return;
    sizes_.resize(count_of(sources));
    for (std::size_t item = 0; item < items; ++item)
        for_each_source(sources, item, [&](std::uint32_t source) { sizes_[source] += 1; });
    if (std::any_of(sizes_.begin(), sizes_.end(), [](double size) { return size > 1; }))
        sources_ = &sources;
}

double Products::effective() const
{
    const auto n = static_cast<double>(items_);
    if (sources_ == nullptr)
        return n;
    double pairs = 0;
    for (const double size : sizes_)
        pairs += size * size;
    for (std::size_t item = 0; item < items_; ++item) // an item of two sources was counted twice
        pairs -= sources_->first[item] != sources_->second[item] ? 1 : 0;
    return n * n / std::max(pairs, n);
}

Column Products::sums(const Column& influence) const
{
    Column sums;
    if (sources_ == nullptr)
        return sums;
    sums.resize(sizes_.size());
    for (std::size_t item = 0; item < influence.size(); ++item)
        for_each_source(*sources_, item,
                        [&](std::uint32_t source) { sums[source] += influence[item]; });
    return sums;
}

Column Products::spread_out(const Column& column, const Column& sums) const
{
    if (sources_ == nullptr)
        return column;
    Column all;
    all.reserve(column.size());
    for (std::size_t item = 0; item < column.size(); ++item) {
        double own = 0;
        for_each_source(*sources_, item, [&](std::uint32_t source) { own += sums[source]; });
        const bool is_twice = sources_->first[item] != sources_->second[item];
        all.push_back(own - (is_twice ? column[item] : 0.0));
    }
    return all;
}

double Products::operator()(const Column& a,
                            const Column& b,
                            const Column& sums_a,
                            const Column& sums_b) const
{
    if (sources_ == nullptr)
        return dot(a, b);
    double twice = 0; // an item of two sources is in two sums: once too often
    for (std::size_t item = 0; item < a.size(); ++item)
        if (sources_->first[item] != sources_->second[item])
            twice += a[item] * b[item];
    return dot(sums_a, sums_b) - twice;
}

Gram::Gram(const std::vector<std::vector<Keyed>>& rows, const Products& product)
    : rows_(rows.size()), sums_(rows.size() * rows.size())
{
    for (std::size_t a = 0; a < rows_; ++a)
        for (std::size_t b = a; b < rows_; ++b) {
            double sum = 0;
            for (const Keyed& one : rows[a])
                for (const Keyed& other : rows[b])
                    if (one.key == other.key)
                        sum += product(one.column, other.column, one.sums, other.sums);
            sums_[a * rows_ + b] = sum;
            sums_[b * rows_ + a] = sum;
        }
}

double Gram::square(std::size_t a, std::optional<std::size_t> b) const
{
    const Gram& self = *this;
    return b ? self(a, a) + self(*b, *b) - 2 * self(a, *b) : self(a, a);
}

} // namespace senteval::stats
