// official.hpp -- scores of the systems of the SemEval similarity tasks, and a result's standing among them.
#pragma once

#include "results/result.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace senteval::run {

/// Pearson's r of the runs that were submitted to a shared task's dataset.
struct OfficialRanking {
    std::string task;
    std::string metric; ///< its path among the task's metrics
    double median = 0;
    double upper_quartile = 0; ///< 75th percentile
    double best = 0;
};

/// All 22 datasets of Wieting et al. 2016, table 2; of SMT of 2013 there is no task.
std::span<const OfficialRanking> official_rankings();

/// "below the median", "in the upper half", "in the upper quarter", "above the best".
std::string_view place_in(const OfficialRanking& ranking, double pearson);

/// Standing of a task's metrics; nothing where no ranking is known. Metrics that are not there or no number are left
/// out.
std::optional<results::Standing> standing_of(std::string_view task, const base::Json& metrics);

} // namespace senteval::run
