// seed_table.hpp -- how much seeds and items matter on SentEval's own tasks, as measured once.
#pragma once

#include "stats/crossed.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::compare {

/// Several encoders on one task with one classifier, over seeds.
struct SeedMeasurement {
    std::string task;
    std::string metric;
    std::string classifier; ///< empty: the task has but one
    std::size_t items = 0;
    double seeds = 0;                      ///< of each encoder
    std::vector<double> by_seed = {};      ///< encoders' variances of one fit
    std::vector<double> beside_items = {}; ///< what of them the items do not show
    std::vector<double> item_deviations =
        {}; ///< of an item's share in the difference of two encoders

    /// What to expect of another encoder.
    [[nodiscard]] stats::SeedVariance expected() const;
};

/// data/seed_variance.toml, which tests/simulation/seed_variance.sh makes.
struct SeedTable {
    std::string measured_with;
    std::vector<SeedMeasurement> measurements;

    /// nullptr where it was not measured.
    [[nodiscard]] const SeedMeasurement*
    find(std::string_view task, std::string_view metric, std::string_view classifier) const;
};

const SeedTable& seed_table();

/// Encoders' variances by seed as what to expect of another encoder: the largest, since encoders differ by a
/// factor of seven; of fewer than three twice that.
stats::SeedVariance expected_of(std::span<const stats::SeedVariance> variances);

} // namespace senteval::compare
