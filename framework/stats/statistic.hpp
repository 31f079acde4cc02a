// statistic.hpp -- statistics that can be evaluated on a resample, given how often each item is in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace senteval::stats {

/// A function of n test items. A bootstrap resample is the count of every item, so that a resample
/// costs one pass over the items and no copy, whatever the statistic. Immutable: may be used from
/// several threads at once.
class Statistic {
public:
    Statistic() = default;
    Statistic(const Statistic&) = delete;
    Statistic& operator=(const Statistic&) = delete;
    Statistic(Statistic&&) = delete;
    Statistic& operator=(Statistic&&) = delete;
    virtual ~Statistic() = default;

    /// Items that are drawn from each other: sizes of the consecutive strata, n in total.
    [[nodiscard]] virtual std::vector<std::size_t> strata() const = 0;

    /// The statistic where item i is there counts[i] times; the counts of a stratum sum to its size (about,
    /// where clusters of items are drawn).
    /// NaN where it is not defined, such as a correlation with a constant.
    [[nodiscard]] virtual double value(std::span<const std::uint32_t> counts) const = 0;

    /// Derivative of the value with respect to the count of each item (the counts of its stratum
    /// scaled to keep their sum), where every item is there once: the empirical influence value over
    /// the stratum's size (Efron & Tibshirani 1993, ch. 21-22). The root of their sum of squares is
    /// the infinitesimal jackknife's standard error.
    [[nodiscard]] virtual std::vector<double> influence() const = 0;

    /// (n - 1) / n times what leaving out each item changes, less its mean: the influence values to the first
    /// order of 1 / n, but the variance that they give, the jackknife's, is not too small where items are
    /// few or lie far out. The influence values themselves where those are linear, or nothing better is known.
    [[nodiscard]] virtual std::vector<double> jackknife() const { return influence(); }

    /// Whether influence() says how the value varies.
    [[nodiscard]] virtual bool is_smooth() const { return true; }

    /// By how much the value changes where one item's answer, right or wrong, is the other one: root mean square over
    /// the items. 0 where it is not made of answers.
    [[nodiscard]] virtual double answer() const { return 0; }

    [[nodiscard]] std::size_t items() const;

    /// The statistic of the items as they are.
    [[nodiscard]] double observed() const;
};

using StatisticPtr = std::unique_ptr<const Statistic>;

/// Mean of the values: an accuracy, where they are 0 and 1. All of these throw core::Error where
/// lists differ in length or are empty, and copy what they need.
StatisticPtr mean_statistic(std::span<const double> values);

/// Median of the values: of an even number the mean of the two in the middle. It is not smooth: its
/// influence is given as 0.
StatisticPtr median_statistic(std::span<const double> values);

/// F1 of one class in [0, 1].
StatisticPtr f1_statistic(std::span<const std::uint32_t> gold,
                          std::span<const std::uint32_t> predicted,
                          std::uint32_t positive = 1);

StatisticPtr pearson_statistic(std::span<const double> x, std::span<const double> y);

/// Ranks are taken anew in every resample, ties averaged, exactly. With the items sorted once, the
/// ranks in a resample are running sums of counts, so it costs O(n), not O(n log n).
StatisticPtr spearman_statistic(std::span<const double> x, std::span<const double> y);

/// Sum of weight * part over parts with items of their own: the mean or weighted mean over the
/// subsets of an STS task, each subset a stratum. Items are those of the parts, one after the other.
StatisticPtr weighted_sum(std::vector<StatisticPtr> parts, std::vector<double> weights);

} // namespace senteval::stats
