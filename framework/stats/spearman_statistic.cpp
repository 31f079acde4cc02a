#include "stats/correlation.hpp"
#include "stats/statistic.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace senteval::stats {
namespace {

/// The items in ascending order of a variable, in groups of equal values.
struct Ordering {
    explicit Ordering(std::span<const double> values) : items(values.size())
    {
        std::iota(items.begin(), items.end(), std::uint32_t{0});
        std::stable_sort(items.begin(), items.end(),
                         [&](auto a, auto b) { return values[a] < values[b]; });
        for (std::uint32_t at = 1; at <= items.size(); ++at)
            if (at == items.size() || values[items[at]] != values[items[at - 1]])
                group_ends.push_back(at);
    }

    std::vector<std::uint32_t> items;
    std::vector<std::uint32_t> group_ends;
};

/// Calls body(members, count, twice the rank minus n + 1) for each group of equal values. Doubled
/// and centred, average ranks are whole numbers, so that sums of them are exact.
template <typename Body>
void for_each_group(const Ordering& ordering, std::span<const std::uint32_t> counts, Body body)
{
    const auto n = static_cast<std::int64_t>(ordering.items.size());
    std::int64_t below = 0;
    std::uint32_t begin = 0;
    for (const std::uint32_t end : ordering.group_ends) {
        const std::span members(ordering.items.data() + begin, end - begin);
        std::int64_t count = 0;
        for (const std::uint32_t item : members)
            count += counts[item];
        body(members, count, 2 * below + count - n);
        below += count;
        begin = end;
    }
}

class Spearman final : public Statistic {
public:
    Spearman(std::span<const double> x, std::span<const double> y)
        : x_(x), y_(y), rank_x_(scaled_ranks(x)), rank_y_(scaled_ranks(y))
    {
    }

    [[nodiscard]] std::vector<std::size_t> strata() const override { return {x_.items.size()}; }

    [[nodiscard]] double value(std::span<const std::uint32_t> counts) const override
    {
        const auto counted_rank = std::make_unique_for_overwrite<std::int64_t[]>(counts.size());
        std::int64_t yy = 0;
        for_each_group(y_, counts, [&](auto members, std::int64_t count, std::int64_t rank) {
            yy += count * rank * rank;
            for (const std::uint32_t item : members)
                counted_rank[item] = counts[item] * rank;
        });
        std::int64_t xx = 0;
        std::int64_t xy = 0;
        for_each_group(x_, counts, [&](auto members, std::int64_t count, std::int64_t rank) {
            xx += count * rank * rank;
            std::int64_t sum = 0;
            for (const std::uint32_t item : members)
                sum += counted_rank[item];
            xy += rank * sum;
        });
        if (xx == 0 || yy == 0)
            return std::numeric_limits<double>::quiet_NaN();
        const double scale =
            std::sqrt(static_cast<double>(xx)) * std::sqrt(static_cast<double>(yy));
        return std::clamp(static_cast<double>(xy) / scale, -1.0, 1.0);
    }

    /// With F and G the mid-distribution functions, rho = (E[FG] - 1/4) / sqrt(var F var G); an item
    /// moves each expectation as itself and by moving the ranks of the items above it.
    [[nodiscard]] std::vector<double> influence() const override
    {
        const auto n = static_cast<double>(rank_x_.size());
        const double xy = mean_product(rank_x_, rank_y_);
        const double xx = mean_product(rank_x_, rank_x_);
        const double yy = mean_product(rank_y_, rank_y_);
        const double var_x = xx - 0.25;
        const double var_y = yy - 0.25;
        const double rho = (xy - 0.25) / std::sqrt(var_x * var_y);
        const auto y_above_x = mean_above(x_, rank_y_);
        const auto x_above_y = mean_above(y_, rank_x_);
        const auto x_above_x = mean_above(x_, rank_x_);
        const auto y_above_y = mean_above(y_, rank_y_);
        std::vector<double> result(rank_x_.size());
        for (std::size_t i = 0; i < result.size(); ++i) {
            const double d_xy = rank_x_[i] * rank_y_[i] + y_above_x[i] + x_above_y[i] - 3.0 * xy;
            const double d_xx = rank_x_[i] * rank_x_[i] + 2.0 * x_above_x[i] - 3.0 * xx;
            const double d_yy = rank_y_[i] * rank_y_[i] + 2.0 * y_above_y[i] - 3.0 * yy;
            result[i] =
                (d_xy / std::sqrt(var_x * var_y) - rho / 2.0 * (d_xx / var_x + d_yy / var_y)) / n;
        }
        return result;
    }

private:
    /// The mid-distribution function at each item: (rank - 1/2) / n, of mean 1/2.
    static std::vector<double> scaled_ranks(std::span<const double> values)
    {
        std::vector<double> result = ranks(values);
        for (double& rank : result)
            rank = (rank - 0.5) / static_cast<double>(values.size());
        return result;
    }

    static double mean_product(const std::vector<double>& a, const std::vector<double>& b)
    {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) /
               static_cast<double>(a.size());
    }

    /// For each item, the sum of `values` over the items above it in the ordering, and half of those
    /// equal to it, over n.
    static std::vector<double> mean_above(const Ordering& ordering,
                                          const std::vector<double>& values)
    {
        std::vector<double> result(values.size());
        double above = 0;
        for (std::size_t group = ordering.group_ends.size(); group-- > 0;) {
            const std::size_t begin = group == 0 ? 0 : ordering.group_ends[group - 1];
            const std::span members(ordering.items.data() + begin,
                                    ordering.group_ends[group] - begin);
            double own = 0;
            for (const std::uint32_t item : members)
                own += values[item];
            for (const std::uint32_t item : members)
                result[item] = (above + own / 2.0) / static_cast<double>(values.size());
            above += own;
        }
        return result;
    }

    Ordering x_;
    Ordering y_;
    std::vector<double> rank_x_;
    std::vector<double> rank_y_;
};

} // namespace

StatisticPtr spearman_statistic(std::span<const double> x, std::span<const double> y)
{
    if (x.size() != y.size() || x.empty())
        throw core::Error("a correlation needs two lists of the same length, not {} and {}",
                          x.size(), y.size());
    return std::make_unique<Spearman>(x, y);
}

} // namespace senteval::stats
