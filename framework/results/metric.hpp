// metric.hpp -- description of a number in a result, written once, by the protocol that computes it; readers of
// results use it, and never the metric's name.
#pragma once

#include "base/json.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace senteval::results {

/// How several groups of items make one value: the statistic of all items together, or the mean of the groups'
/// statistics, equal or weighted by their items.
enum class Over { items, groups, weighted_groups };

/// How a metric follows from the outcomes of the test items (see outcomes.hpp).
struct Source {
    std::string statistic; ///< a name of stats/statistic.hpp; empty: no function of the test items
    std::string series;    ///< a name of Outcomes::further; empty: ItemOutcome::prediction
    std::vector<std::string> groups = {}; ///< of Outcomes::groups; empty: all
    Over over = Over::items;
    /// Number of fits of a task that is fitted anew for one result: the series are "<series> 1", "<series> 2" ...,
    /// and the metric is the mean over them. 0: one series of that very name.
    std::size_t fits = 0;
    friend bool operator==(const Source&, const Source&) = default;
};

/// Units that metrics of several tasks share: an average is taken over one unit only.
inline const std::string percent = "%"; ///< the statistic, a share, times 100
inline const std::string correlation = "r";

struct Metric {
    std::string path;  ///< in Result::metrics: keys joined by dots. A key may have dots of its own
    std::string title; ///< in words: "accuracy", "Pearson's r"
    std::string unit;
    int digits = 2; ///< after the point
    bool higher_is_better = true;
    Source source = {}; ///< without a statistic: no interval and no test, a value to look at

    /// Whether values of several tasks may be averaged: errors and ranks are on scales of their tasks.
    [[nodiscard]] bool has_common_unit() const { return unit == percent || unit == correlation; }

    /// The factor of a shown value.
    [[nodiscard]] double scale() const { return unit == percent ? 100 : 1; }

    /// The least and the largest value that it can have. A share that is no statistic of items may be adjusted for chance.
    [[nodiscard]] std::pair<double, double> range() const;

    /// Whether the title names the number and the path does not: F1 is of one class, or the mean of all.
    [[nodiscard]] bool is_an_f1() const { return source.statistic.ends_with("f1"); }

    /// Its name in a line: "acc", "F1 of 'fine'".
    [[nodiscard]] const std::string& name() const { return is_an_f1() ? title : path; }

    /// Its label in a plot: "accuracy, %".
    [[nodiscard]] std::string axis() const { return unit == percent ? title + ", %" : title; }

    /// Whether `value` is better than `other`; false for NaN.
    [[nodiscard]] bool is_better(double value, double other) const
    {
        return higher_is_better ? value > other : value < other;
    }

    /// A value with the metric's digits; "-" for NaN.
    [[nodiscard]] std::string text(double value) const;

    /// Its value among a result's metrics; nothing where there is none or it is not finite.
    [[nodiscard]] std::optional<double> value_in(const base::Json& metrics) const;
};

/// The metric at `path`, or nullptr.
const Metric* find_metric(std::span<const Metric> metrics, const std::string& path);

} // namespace senteval::results
