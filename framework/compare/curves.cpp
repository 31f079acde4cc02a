#include "compare/views.hpp"
#include "stats/ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace senteval::compare {
namespace {

using core::Json;

const run::Cell& any_cell_of(const Row& row)
{
    return *std::find_if(row.tasks.begin(), row.tasks.end(), [](const Runs& runs) {
                return !runs.empty();
            })->front();
}

/// What a row's encoder was brought to, and which encoder it is without that.
struct Projected {
    std::string base; ///< the same for rows that differ in the projection alone
    std::string kind; ///< empty: not projected
};

Projected projected(const Row& row)
{
    const Json& document = any_cell_of(row).document;
    const Json projection = document.at("protocol").at("settings").value("projection", Json());
    return {fmt::format("{} {}", text_at(document, "/encoder/fingerprint"), row.variant),
            projection.is_null() ? std::string() : projection.value("kind", std::string())};
}

std::string words(const std::string& kind)
{
    if (kind == "pca")
        return "PCA";
    return kind == "random" ? "random projection" : kind;
}

report::Measured measured(const Score& score)
{
    return {score.value, score.interval.low, score.interval.high};
}

/// Rows by dimension: those projected in one way, and what was projected.
using Curve = std::map<std::size_t, std::size_t>;

/// The label of what was projected, where the results have that, too; else of the largest dimension.
std::string label_of(const Results& results, const Curve& curve)
{
    for (const auto& [dimension, row] : curve)
        if (projected(results.rows()[row]).kind.empty())
            return results.rows()[row].label;
    return results.rows()[curve.rbegin()->second].label;
}

std::map<std::string, Curve> curves_of(const Results& results, const std::string& kind)
{
    const auto& rows = results.rows();
    std::map<std::string, Curve> curves;
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (const auto found = projected(rows[row]); found.kind == kind)
            curves[found.base][rows[row].dimension] = row;
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (const auto found = projected(rows[row]); found.kind.empty())
            if (const auto curve = curves.find(found.base); curve != curves.end())
                curve->second.try_emplace(rows[row].dimension, row);
    return curves;
}

report::DimensionCurves curves_on(const TaskComparison& task,
                                  const Results& results,
                                  const std::string& kind,
                                  const std::map<std::string, Curve>& curves)
{
    report::DimensionCurves set{task.task,          words(kind), task.metric.axis(),
                                task.metric.digits, {},          {}};
    std::set<std::size_t> dimensions;
    for (const auto& [base, curve] : curves)
        for (const auto& [dimension, row] : curve)
            if (!std::isnan(task.entries[row].score.value))
                dimensions.insert(dimension);
    set.dimensions.assign(dimensions.begin(), dimensions.end());
    for (const auto& [base, curve] : curves) {
        report::Series series{label_of(results, curve), {}};
        for (const std::size_t dimension : set.dimensions) {
            const auto at = curve.find(dimension);
            series.values.push_back(at == curve.end() ? report::Measured{}
                                                      : measured(task.entries[at->second].score));
        }
        set.encoders.push_back(std::move(series));
    }
    return set;
}

} // namespace

std::vector<report::DimensionCurves> dimension_curves(const Results& results,
                                                      const Comparison& comparison)
{
    std::set<std::string> kinds;
    for (const Row& row : results.rows())
        kinds.insert(projected(row).kind);
    kinds.erase("");
    std::vector<report::DimensionCurves> all;
    for (const std::string& kind : kinds) {
        const auto curves = curves_of(results, kind);
        for (const TaskComparison& task : comparison.tasks)
            if (auto set = curves_on(task, results, kind, curves); set.dimensions.size() > 1)
                all.push_back(std::move(set));
    }
    return all;
}

report::TaskCorrelations task_correlations(const Results& results, const Comparison& comparison)
{
    std::vector<std::size_t> chosen;
    std::set<std::string> seen;
    for (std::size_t row = 0; row < results.rows().size(); ++row)
        if (projected(results.rows()[row]).kind.empty() &&
            seen.insert(results.rows()[row].encoder).second)
            chosen.push_back(row);
    constexpr std::size_t fewest_encoders = 3;
    if (chosen.size() < fewest_encoders || comparison.tasks.size() < 2)
        return {};
    report::TaskCorrelations correlations;
    std::vector<std::vector<double>> values;
    for (const TaskComparison& task : comparison.tasks) {
        correlations.tasks.push_back(task.task);
        values.emplace_back();
        for (const std::size_t row : chosen)
            values.back().push_back(task.entries[row].score.value);
    }
    auto found = stats::task_correlation(values);
    correlations.r = std::move(found.r);
    correlations.n = std::move(found.n);
    return correlations;
}

std::string correlation_between(const report::TaskCorrelations& correlations,
                                const std::map<std::string, std::string>& groups,
                                const std::string& first,
                                const std::string& second)
{
    const std::size_t tasks = correlations.tasks.size();
    const auto in = [&](std::size_t task, const std::string& group) {
        const auto at = groups.find(correlations.tasks[task]);
        return at != groups.end() && at->second == group;
    };
    double sum = 0;
    std::size_t pairs = 0;
    for (std::size_t a = 0; a < tasks; ++a)
        for (std::size_t b = 0; b < tasks; ++b)
            if (in(a, first) && in(b, second) && !std::isnan(correlations.r[a * tasks + b])) {
                sum += correlations.r[a * tasks + b];
                ++pairs;
            }
    if (pairs == 0)
        return "";
    return fmt::format("Over the encoders here, the order by a {} task and the order by a {} task "
                       "correlate by {:.2f} on average (Spearman's ρ, mean of {} pairs of tasks).",
                       first, second, sum / static_cast<double>(pairs), pairs);
}

} // namespace senteval::compare
