// scoring.hpp -- a metric as a function of the test items: what intervals and tests are made from.
#pragma once

#include "compare/results.hpp"
#include "core/nan.hpp"
#include "stats/bootstrap.hpp"
#include "stats/crossed.hpp"
#include "stats/interval.hpp"
#include "stats/statistic.hpp"
#include "task/metric.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace senteval::compare {

/// Gold and predicted values of some items.
struct Sample {
    std::vector<double> gold;
    std::vector<double> predicted;
};

/// Whether the source is made of the items of the group.
bool takes(const task::Source& source, const std::string& group);

/// The rows of the outcomes that the source is made of, group by group; one list where it is over items.
std::vector<std::vector<std::size_t>> rows_of(const task::Outcomes& outcomes,
                                              const task::Source& source);

/// The items that the source is made of, group by group; one sample where it is over items. Empty where
/// the items have not what it names.
std::vector<Sample> samples_of(const run::Items& items, const task::Source& source);

/// The statistic that the metric's description names, of the items; times metric.scale() it is in the
/// metric's unit. nullptr where the description names none, or the items are not what it is made of.
stats::StatisticPtr statistic_of(const run::Items& items, const task::Metric& metric);

/// Whether the metric is a share of the items.
bool is_share(const task::Metric& metric);

/// The metric of some items in its unit, as stats::Crossed takes it; nothing without a statistic, or
/// where that is not defined.
std::optional<stats::Fit>
fit_of(const run::Items& items, const task::Metric& metric, const stats::Resampling& resampling);

/// The same of a cell, with its seed and the value that its document has.
std::optional<stats::Fit>
fit_of(const run::Cell& cell, const task::Metric& metric, const stats::Resampling& resampling);

/// Of all runs of a row on a task, and of those on halves of the training part, under their numbers; without those of
/// which the metric is not defined.
stats::Scored scored_of(const Row& row,
                        std::size_t task,
                        const task::Metric& metric,
                        const stats::Resampling& resampling);

/// The sentences of the items that the metric is made of, in the order of fit_of()'s influences; empty
/// where these are not of items.
stats::Sources sources_of(const run::Items& items, const task::Metric& metric);

/// Which items that the metric is made of hang together, numbered from 0; empty where none do.
std::vector<std::uint32_t> clusters_in(const run::Items& items, const task::Metric& metric);

/// Why `count` items cannot tell how far a score may be off; empty where they can.
std::string want_of_items(const run::Items& items, const task::Metric& metric, std::size_t count);

/// 95 % interval of a score of that spread in the metric's unit: Wilson's for shares of the items,
/// Fisher's for correlations, else symmetric; never beyond what the metric can be.
stats::Interval interval_of(double value,
                            const stats::Spread& spread,
                            const task::Metric& metric,
                            std::size_t items);

/// Who tells how much seeds matter to a row.
enum class SeedsTold { by_none, by_own, by_own_and_others, by_others };

/// The metric of one row on one task.
struct Score {
    double value = core::nan;   ///< the mean over seeds
    double sd = core::nan;      ///< over seeds, with n - 1
    std::vector<double> values; ///< of the seeds
    /// 95 %, for the population; NaN where there is none.
    stats::Interval interval{core::nan, core::nan};
    double standard_error = core::nan; ///< of the same
    stats::Population population = stats::Population::items;
    std::size_t items = 0;
    std::size_t seeds = 0;
    std::size_t resampled = 0; ///< training sets
    SeedsTold seeds_told = SeedsTold::by_none;
    std::string seed_source; ///< where its variance by seed is from; empty: not known, or none
};

/// Without an interval.
Score score_of(const Runs& runs, const task::Metric& metric);

/// Whether something with a seed was trained for the cell.
bool is_trained(const run::Cell& cell);

} // namespace senteval::compare
