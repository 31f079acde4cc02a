// prospect.hpp -- what a task will be able to show: how many items and seeds a difference takes.
#pragma once

#include "compare/results.hpp"
#include "compare/seed_table.hpp"
#include "stats/power.hpp"
#include "task/metric.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace senteval::compare {

/// Rows that a measurement is made of: trained alike, and tested on as many items, as most of them are.
std::vector<const Row*> rows_alike(const Results& results, std::size_t task);

/// How much items and seeds matter on a task of the results, as in the table that is built in, and training sets,
/// where all of these rows were resampled; nothing with fewer than two rows on the same items. Without several
/// seeds nothing is said of seeds.
std::optional<SeedMeasurement>
measure(const Results& results, std::size_t task, const task::Metric& metric);

/// Of two encoders with so many seeds each on so many items.
struct Prospect {
    double item_deviation = 0; ///< of an item's share in the difference: the median over pairs
    double by_seed = 0;        ///< variance of one fit: the median over encoders
    double by_training = 0;    ///< of a difference: the median over pairs; 0: not taken in
    double training_freedom = 0;
    /// As a comparison takes it that has one seed of each; nothing where it gives no verdict.
    std::optional<stats::SeedVariance> of_one;
    bool seeds_known = false; ///< else both are 0
    bool from_table = false;  ///< whether the built-in table speaks of what was measured
    bool of_shares = false;   ///< in per cent: a difference varies with the items at least

    /// `of_table`: it is one of the table's own.
    Prospect(const SeedMeasurement& measured, bool of_table);

    /// The difference that is found with the power.
    [[nodiscard]] double
    detectable(double items, std::size_t seeds, const stats::Power& power) const;

    /// The fewest items, or seeds, with which the difference is found; nothing where no number is enough
    /// (of seeds: none up to 1000).
    [[nodiscard]] std::optional<double>
    items_for(double difference, std::size_t seeds, const stats::Power& power) const;
    [[nodiscard]] std::optional<std::size_t>
    seeds_for(double difference, double items, const stats::Power& power) const;

private:
    [[nodiscard]] double
    detectable_with(double items, std::size_t seeds, const stats::Power& power) const;
};

} // namespace senteval::compare
