// scoring.hpp -- a metric as a function of the test items: what intervals and tests are made from.
#pragma once

#include "compare/results.hpp"
#include "stats/bootstrap.hpp"
#include "stats/interval.hpp"
#include "stats/statistic.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace senteval::compare {

/// Metrics by how they follow from the items.
enum class Kind {
    accuracy,    ///< share of items that are right, in per cent
    f1,          ///< of class 1, in per cent
    correlation, ///< pearson or spearman, of one set or averaged over subsets
    other        ///< no function of the items that are kept: no interval, no test
};

Kind kind_of(const std::string& metric);

/// The metric of the cell's items, in the metric's unit divided by scale_of(); nullptr for `other`,
/// and where the items are of another kind than the metric.
stats::StatisticPtr statistic_of(const run::Items& items, const std::string& metric);

/// 100 for percentages, else 1.
double scale_of(const std::string& metric);

/// The metric of the items in its unit, with its 95 % interval: Wilson for accuracies, BCa bootstrap
/// for the others. All NaN where statistic_of() has none.
stats::Estimate estimate_of(const run::Items& items,
                            const std::string& metric,
                            const stats::Resampling& resampling);

/// The metric of one row on one task.
struct Score {
    double value = 0;          ///< NaN where there is none; the mean over seeds
    double sd = 0;             ///< over seeds, with n - 1; NaN for one
    stats::Interval interval;  ///< 95 %: Wilson for accuracies, BCa bootstrap for the others
    double standard_error = 0; ///< of the test items' sampling; NaN where there is no interval
    std::size_t items = 0;
    std::size_t seeds = 0;
};

/// The interval is that of the first seed's items, moved to the mean. A document without the metric
/// gives NaN.
Score score_of(const Runs& runs, const std::string& metric, const stats::Resampling& resampling);

/// Whether each item was right, 0 or 1, in the order of the items.
std::vector<double> correctness(const run::Items& items);

/// Paired comparison of two rows on one task: first - second, in the metric's unit.
struct Difference {
    double value = 0;
    stats::Interval interval;
    double p_value = 0;    ///< two-sided, not adjusted
    double detectable = 0; ///< smallest difference found with power 80 % at level 5 %
    std::string test;      ///< name of the test; empty where the two cannot be compared
};

/// Accuracies: McNemar's mid-p, or a sign-flip test of the means over seeds; Pearson's correlation of
/// one set: Williams' test; all else: paired bootstrap. NaN where a side is missing, or the two were
/// not tested on the same items.
Difference difference_of(const Runs& first,
                         const Runs& second,
                         const std::string& metric,
                         const stats::Resampling& resampling);

} // namespace senteval::compare
