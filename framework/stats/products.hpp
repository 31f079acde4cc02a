// products.hpp -- inner products of influences over items, some of which share a source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace senteval::stats {

/// Sentences, or other sources, that items are made of: two for each item, the same twice where it has
/// one. Items that share one are not independent. Empty: no item shares any.
struct Sources {
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> second;
};

/// The connected parts of items and sources: which one each item is of, numbered from 0. Empty where no two
/// items share a source.
std::vector<std::uint32_t> clusters_of(const Sources& sources);

using Column = std::vector<double>;

/// Inner products of columns over the items, items that share a source counted together.
class Products {
public:
    /// `sources` has to outlive it.
    Products(std::size_t items, const Sources& sources);

    /// Items as good as as many independent ones.
    [[nodiscard]] double effective() const;

    /// The sums of a column over the items of each shared source; empty where none is shared.
    [[nodiscard]] Column sums(const Column& influence) const;

    /// Of each item what the column holds of all that hang together with it: its products with this are those with
    /// the column. `sums`: sums() of it.
    [[nodiscard]] Column spread_out(const Column& column, const Column& sums) const;

    /// Of two columns, given their sums().
    [[nodiscard]] double
    operator()(const Column& a, const Column& b, const Column& sums_a, const Column& sums_b) const;

private:
    std::size_t items_;
    const Sources* sources_ = nullptr; ///< where some are shared
    Column sizes_;                     ///< items of each source
};

/// In the same order whatever the processor adds at once.
double dot(const Column& a, const Column& b);

/// Columns of rows, each under a number; those of one number belong together.
struct Keyed {
    std::uint64_t key = 0;
    Column column;
    Column sums;
};

/// Inner products of rows, rows x rows: of their columns with a number in common.
class Gram {
public:
    Gram() = default;
    Gram(const std::vector<std::vector<Keyed>>& rows, const Products& product);

    [[nodiscard]] double operator()(std::size_t a, std::size_t b) const
    {
        return sums_[a * rows_ + b];
    }

    /// Of row a, or of the difference of rows a and b, with itself.
    [[nodiscard]] double square(std::size_t a, std::optional<std::size_t> b) const;

private:
    std::size_t rows_ = 0;
    Column sums_;
};

} // namespace senteval::stats
