#include "compare/family.hpp"

#include "stats/multiple.hpp"
#include "stats/power.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace senteval::compare {
namespace {

std::vector<double> covariance_of(const Inference& inference, const std::vector<std::size_t>& rows)
{
    return rows.empty() ? std::vector<double>() : inference.covariance(rows.front());
}

/// With a power of 80 %. A difference that is there varies with the items at least.
double detectable(const Difference& difference, double level)
{
    constexpr double power = 0.80;
    const double least = stats::t_quantile(level, difference.freedom) * difference.standard_error +
                         stats::t_quantile(2 * (1 - power), difference.by_items.freedom) *
                             difference.by_items.standard_error;
    return std::max(stats::detectable_difference(difference.standard_error, difference.freedom,
                                                 {.power = power, .alpha = level}),
                    least);
}

} // namespace

Judged::Judged(const Inference& inference,
               std::vector<std::size_t> rows,
               std::vector<stats::Pair> pairs,
               const stats::Resampling& resampling)
    : inference_(&inference),
      rows_(std::move(rows)),
      pairs_(std::move(pairs)),
      smallest_(covariance_of(inference, rows_), rows_.size(), pairs_, resampling)
{
    for (const stats::Pair& pair : pairs_)
        p_values_.push_back(inference.difference(rows_[pair.first], rows_[pair.second]).p_value);
}

Judged
Judged::all_pairs(const Inference& inference, std::size_t best, const stats::Resampling& resampling)
{
    auto rows = inference.comparable_with(best);
    auto pairs = stats::all_pairs(rows.size());
    return {inference, std::move(rows), std::move(pairs), resampling};
}

Judged Judged::with_baseline(const Inference& inference,
                             std::size_t baseline,
                             const stats::Resampling& resampling)
{
    auto rows = inference.comparable_with(baseline);
    const auto at = std::find(rows.begin(), rows.end(), baseline) - rows.begin();
    std::vector<stats::Pair> pairs;
    for (std::uint32_t row = 0; row < rows.size(); ++row)
        if (row != at)
            pairs.push_back({row, static_cast<std::uint32_t>(at)});
    return {inference, std::move(rows), std::move(pairs), resampling};
}

double Judged::adjusted(double p) const
{
    if (std::isnan(p) || family_ == Family::none)
        return p;
    if (ascending_.empty())
        return smallest_.adjusted(p, tables_);
    return stats::false_discovery_rate(ascending_, p);
}

Difference Judged::difference(std::size_t first, std::size_t second) const
{
    Difference result = inference_->difference(first, second);
    if (std::isnan(result.p_value))
        return result;
    result.interval = inference_->interval(first, second, single_);
    if (!result.same_scores)
        result.detectable = detectable(result, single_);
    if (result.detectable > largest_difference(inference_->metric()))
        result.detectable = std::numeric_limits<double>::infinity();
    result.williams = inference_->williams(first, second);
    return result;
}

void judge(std::span<const std::vector<Judged*>> tasks, Family family, bool false_discovery_rate)
{
    struct Together {
        std::vector<double> p_values;
        std::size_t tables = 0;

        void add(const Judged& set)
        {
            p_values.insert(p_values.end(), set.p_values_.begin(), set.p_values_.end());
            tables += set.pairs_.empty() ? 0U : 1U;
        }
    };
    Together all;
    for (const auto& task : tasks)
        for (const Judged* set : task)
            all.add(*set);
    for (const auto& task : tasks) {
        Together own;
        for (const Judged* set : task)
            own.add(*set);
        const Together& together = family == Family::table ? all : own;
        for (Judged* set : task) {
            set->family_ = family;
            set->tables_ = std::max<std::size_t>(1, together.tables);
            if (family == Family::none) {
                set->single_ = level;
            } else if (false_discovery_rate) {
                set->ascending_ = together.p_values;
                std::sort(set->ascending_.begin(), set->ascending_.end());
                set->single_ = stats::selected_level(set->ascending_, level);
            } else {
                set->single_ = set->smallest_.single(level, set->tables_);
            }
        }
    }
}

} // namespace senteval::compare
