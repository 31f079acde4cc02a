#include "report/curves.hpp"

#include <algorithm>
#include <set>

namespace senteval::report {
namespace {

using core::Json;

/// A row's encoder, and what its vectors were brought to.
struct Projected {
    std::size_t row = 0; ///< of the comparison
    std::string encoder;
    std::string kind; ///< empty: not projected
    std::string base; ///< the same for rows that differ in the projection alone
};

std::vector<Projected> projected_rows(const compare::Comparison& comparison,
                                      const compare::Results& results)
{
    std::vector<Projected> rows;
    for (const compare::Row& row : results.rows()) {
        const auto at = std::ranges::find(comparison.rows, row.label);
        const auto runs =
            std::ranges::find_if(row.tasks, [](const auto& any) { return !any.empty(); });
        if (at == comparison.rows.end() || runs == row.tasks.end())
            continue;
        const Json& document = runs->front()->document;
        const Json projection = document.at("protocol").at("settings").value("projection", Json());
        rows.push_back({static_cast<std::size_t>(at - comparison.rows.begin()), row.encoder,
                        projection.is_null() ? "" : projection.value("kind", ""),
                        compare::text_at(document, "/encoder/fingerprint") + " " + row.variant});
    }
    return rows;
}

std::string words(const std::string& kind)
{
    if (kind == "pca")
        return "PCA";
    return kind == "random" ? "random projection" : kind;
}

} // namespace

std::vector<Projection> projections_of(const compare::Comparison& comparison,
                                       const compare::Results& results)
{
    const std::vector<Projected> rows = projected_rows(comparison, results);
    std::map<std::string, std::map<std::string, Curve>> by_kind;
    for (const Projected& row : rows)
        if (!row.kind.empty()) {
            Curve& curve = by_kind[row.kind][row.base];
            curve.rows[comparison.dimensions[row.row]] = row.row;
            curve.row = curve.rows.rbegin()->second;
        }
    for (const Projected& row : rows)
        for (auto& [kind, curves] : by_kind)
            if (const auto at = curves.find(row.base); row.kind.empty() && at != curves.end()) {
                at->second.row = row.row;
                at->second.rows.try_emplace(comparison.dimensions[row.row], row.row);
            }
    std::vector<Projection> projections;
    for (auto& [kind, curves] : by_kind) {
        projections.push_back({words(kind), {}});
        for (auto& [base, curve] : curves)
            projections.back().curves.push_back(std::move(curve));
    }
    return projections;
}

stats::TaskCorrelation correlations_of(const compare::Comparison& comparison,
                                       const compare::Results& results)
{
    constexpr std::size_t fewest_encoders = 3;
    std::vector<std::size_t> chosen;
    std::set<std::string> seen;
    for (const Projected& row : projected_rows(comparison, results))
        if (row.kind.empty() && seen.insert(row.encoder).second)
            chosen.push_back(row.row);
    if (chosen.size() < fewest_encoders || comparison.tasks.size() < 2)
        return {};
    std::vector<std::vector<double>> values;
    for (const compare::TaskComparison& task : comparison.tasks) {
        values.emplace_back();
        for (const std::size_t row : chosen)
            values.back().push_back(task.entries[row].score.value);
    }
    return stats::task_correlation(values);
}

} // namespace senteval::report
