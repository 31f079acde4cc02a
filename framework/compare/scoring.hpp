// scoring.hpp -- a metric as a function of the test items: what intervals and tests are made from.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "results/metric.hpp"
#include "stats/interval.hpp"
#include "stats/statistic.hpp"
#include "stats/variance.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace senteval::compare {

/// Gold and predicted values of some items.
struct Sample {
    std::vector<double> gold;
    std::vector<double> predicted;
};

/// Whether the source is made of the items of the group.
bool takes(const results::Source& source, const std::string& group);

/// The metric of each fit that a result has of its task: itself where there is one (results::Source::fits).
std::vector<results::Metric> by_fit(const results::Metric& metric);

/// The items that the source is made of, group by group; one sample where it is over items. Empty where
/// the items have not what it names.
std::vector<Sample> samples_of(const results::Items& items, const results::Source& source);

/// Those items, in their order, of which the number satisfies the predicate.
results::Items items_where(const results::Items& items,
                           const std::function<bool(std::size_t)>& is_chosen);

/// Whether the metric is a share of the items.
bool is_share(const results::Metric& metric);

/// The metric of some items, in its unit. NaN where it names no statistic, or is not defined.
stats::Statistic statistic_of(const results::Items& items, const results::Metric& metric);

/// The fits of a row on a task, their values of the items: those in documents may be rounded. No seeds where the metric is not smooth, or not
/// defined for some.
stats::Fits fits_of(const Row& row, std::size_t task, const results::Metric& metric);

/// The sentences of the items that the metric is made of, in the order of the influences; empty where they are not
/// known.
stats::Sources sources_of(const results::Items& items, const results::Metric& metric);

/// 95 % interval of a score with that variance: Wilson's for shares of the items, Fisher's for correlations, else
/// symmetric; never beyond what the metric can be.
stats::Interval interval_of(double value,
                            const stats::Variance& variance,
                            const results::Metric& metric,
                            std::size_t items);

/// The score without interval.
Score score_of(const Runs& runs, const results::Metric& metric);

/// Whether both have the same test items, of the same files, in the same order.
bool have_same_items(const results::Cell& a, const results::Cell& b);

/// Whether the runs of both predict the same of all items that the metric is made of, one by one or whatever the seed;
/// but for what vectors of floats leave of two ways to compute one number.
bool have_same_predictions(const Runs& first, const Runs& second, const results::Metric& metric);

} // namespace senteval::compare
