#include "compare/family.hpp"

#include "stats/multiple.hpp"
#include "stats/power.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace senteval::compare {
namespace {

/// The comparisons that can say anything, which are those whose errors count.
struct Counted {
    std::vector<double> covariance; ///< of their rows
    std::size_t rows = 0;
    std::vector<stats::Pair> pairs; ///< of indices into those rows
    std::vector<double> p_values;   ///< of the pairs
};

/// Of pairs of `rows` those of rows of which some comparison has a verdict.
Counted counted(const Inference& inference,
                const std::vector<std::size_t>& rows,
                const std::vector<stats::Pair>& pairs)
{
    std::vector<Difference> differences;
    std::vector<bool> has_verdict(rows.size());
    for (const stats::Pair& pair : pairs) {
        differences.push_back(inference.difference(rows[pair.first], rows[pair.second]));
        if (differences.back().is_decided())
            has_verdict[pair.first] = has_verdict[pair.second] = true;
    }
    Counted counted;
    std::vector<std::uint32_t> place(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (has_verdict[row])
            place[row] = static_cast<std::uint32_t>(counted.rows++);
    const auto covariance =
        rows.empty() ? std::vector<double>() : inference.covariance(rows.front());
    for (std::size_t a = 0; a < rows.size(); ++a)
        for (std::size_t b = 0; b < rows.size(); ++b)
            if (has_verdict[a] && has_verdict[b])
                counted.covariance.push_back(covariance[a * rows.size() + b]);
    for (std::size_t at = 0; at < pairs.size(); ++at) {
        const auto& [first, second] = pairs[at];
        if (!has_verdict[first] || !has_verdict[second])
            continue;
        counted.pairs.push_back({place[first], place[second]});
        counted.p_values.push_back(differences[at].p_value);
    }
    return counted;
}

/// With `usual_power`. A difference that is there varies with the items at least.
double detectable(const Difference& difference, double level)
{
    const double least =
        stats::t_quantile(level, difference.freedom) * difference.standard_error +
        stats::t_quantile(2 * (1 - stats::usual_power), difference.by_items.freedom) *
            difference.by_items.standard_error;
    return std::max(difference.spread().detectable(level), least);
}

} // namespace

Judged::Judged(const Inference& inference,
               std::vector<std::size_t> rows,
               std::vector<double> p_values,
               stats::SmallestP smallest)
    : inference_(&inference),
      rows_(std::move(rows)),
      p_values_(std::move(p_values)),
      smallest_(std::move(smallest))
{
}

Judged Judged::of_pairs(const Inference& inference,
                        std::vector<std::size_t> rows,
                        const std::vector<stats::Pair>& pairs,
                        const stats::Resampling& resampling)
{
    Counted those = counted(inference, rows, pairs);
    stats::SmallestP smallest =
        rows.empty() || inference.knows_covariance(rows.front())
            ? stats::SmallestP(those.covariance, those.rows, std::move(those.pairs), resampling)
            : stats::SmallestP(those.pairs.size());
    return {inference, std::move(rows), std::move(those.p_values), std::move(smallest)};
}

Judged
Judged::all_pairs(const Inference& inference, std::size_t best, const stats::Resampling& resampling)
{
    auto rows = inference.comparable_with(best);
    const auto pairs = stats::all_pairs(rows.size());
    return of_pairs(inference, std::move(rows), pairs, resampling);
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
    return of_pairs(inference, std::move(rows), pairs, resampling);
}

double Judged::adjusted(double p) const
{
    if (std::isnan(p) || family_ == Family::none || p_values_.empty())
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
    const double most = largest_difference(inference_->metric());
    const bool refuses_none = result.interval.low <= -most && result.interval.high >= most;
    if (result.detectable > most || (refuses_none && !result.same_scores))
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
            tables += set.p_values_.empty() ? 0U : 1U;
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
            if (family == Family::none || set->p_values_.empty()) {
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
