// views.hpp -- the parts of a report that look at results from another side than task by task.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "report/document.hpp"
#include "stats/bootstrap.hpp"

#include <map>
#include <string>
#include <vector>

namespace senteval::compare {

/// Scores over dimension: rows whose vectors were projected (setting "projection" of the protocol), one
/// curve per encoder that was projected, which stands in it with its own dimension. A curve set per
/// task and kind of projection.
std::vector<report::DimensionCurves> dimension_curves(const Results& results,
                                                      const Comparison& comparison);

/// Spearman's correlations between tasks over encoders: of each the first row, without projection.
/// Empty for fewer than three encoders or two tasks.
report::TaskCorrelations task_correlations(const Results& results, const Comparison& comparison);

/// Mean correlation over the pairs of a task of `first` with a task of `second`, as a sentence;
/// empty where there is none.
std::string correlation_between(const report::TaskCorrelations& correlations,
                                const std::map<std::string, std::string>& groups,
                                const std::string& first,
                                const std::string& second);

/// Each encoder under two values of a setting, such as the classifier, all other settings being
/// equal; and the learned similarity beside the one without learning, where a task
/// that learns nothing scores pairs of the same files.
std::vector<report::SideBySide> side_by_side(const Results& results, const Comparison& comparison);

/// Spread over seeds of the classifier, and of encoders that differ in nothing but their parameter
/// "seed". Where both vary and every pair was run, the variance is split between them.
std::vector<report::SeedSpread> seed_spreads(const Results& results,
                                             const Comparison& comparison,
                                             const stats::Resampling& resampling);

/// Where the numbers come from: program, machines and dates, protocols, encoders, data.
std::vector<report::Provenance> provenance(const Results& results);

} // namespace senteval::compare
