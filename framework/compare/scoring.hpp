// scoring.hpp -- a metric as a function of the test items: what intervals and tests are made from.
#pragma once

#include "compare/results.hpp"
#include "stats/bootstrap.hpp"
#include "stats/interval.hpp"
#include "stats/statistic.hpp"
#include "task/metric.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace senteval::compare {

/// Whether the source is made of the items of the group.
bool takes(const task::Source& source, const std::string& group);

/// The statistic that the metric's description names, of the items; times metric.scale() it is in the
/// metric's unit. nullptr where the description names none, or the items are not what it is made of.
stats::StatisticPtr statistic_of(const run::Items& items, const task::Metric& metric);

/// The metric of the items in its unit, with its 95 % interval: Wilson for shares of the items, BCa
/// bootstrap for the others. All NaN where statistic_of() has none.
stats::Estimate estimate_of(const run::Items& items,
                            const task::Metric& metric,
                            const stats::Resampling& resampling);

/// The metric of one row on one task.
struct Score {
    double value = 0;          ///< NaN where there is none; the mean over seeds
    double sd = 0;             ///< over seeds, with n - 1; NaN for one
    stats::Interval interval;  ///< 95 %, see estimate_of()
    double standard_error = 0; ///< of the test items' sampling; NaN where there is no interval
    std::size_t items = 0;
    std::size_t seeds = 0;
};

/// The interval, for which `resampling` is asked, is that of the first seed's items, moved to the
/// mean. A document without the metric gives NaN.
Score score_of(const Runs& runs, const task::Metric& metric, const stats::Resampling* resampling);

/// Paired comparison of two rows on one task: first - second, in the metric's unit.
struct Difference {
    double value = 0;
    stats::Interval interval;
    double p_value = 0;         ///< two-sided, not adjusted
    double detectable = 0;      ///< smallest difference found with power 80 % at level 5 %
    std::string test;           ///< name of the test; empty where there is none
    std::string not_comparable; ///< why there is no test; empty where there is one
};

/// A share of the items: McNemar's mid-p test; another mean over items, or several seeds: sign-flip
/// test of the means over seeds; Pearson's correlation of one set: Williams' test; all else: paired
/// bootstrap. Several seeds are compared by their means. No test where a side has no items, or the
/// two were not tested on the same ones; no value where a side has none.
Difference difference_of(const Runs& first,
                         const Runs& second,
                         const task::Metric& metric,
                         const stats::Resampling& resampling);

} // namespace senteval::compare
