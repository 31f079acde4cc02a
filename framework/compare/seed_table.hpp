// seed_table.hpp -- how much seeds and items matter on SentEval's own tasks, as measured once.
#pragma once

#include "core/json.hpp"
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
    std::string classifier;    ///< empty: the task has but one
    std::string settings = {}; ///< see training_settings()
    bool trained = true;
    std::size_t items = 0;
    double seeds = 0;                      ///< of each encoder
    std::vector<double> by_seed = {};      ///< encoders' variances of one fit
    std::vector<double> beside_items = {}; ///< what of them the items do not show
    std::vector<double> item_deviations =
        {};                ///< of an item's share in the difference of two encoders
    bool headline = false; ///< of the task, as its protocol describes it
    std::string unit = {}; ///< of the metric, as task::Metric has it
    int digits = 2;

    /// As of encoders that are like those measured.
    [[nodiscard]] stats::SeedVariance typical() const;
};

/// data/seed_variance.toml, which tests/simulation/seed_variance.sh makes.
struct SeedTable {
    std::string measured_with;
    std::vector<SeedMeasurement> measurements;

    /// nullptr where it was not measured: training otherwise, or other items, say nothing of it; nor does the
    /// table of metrics that are no headline, of which F1 of GloVe's sum varies far beyond any limit.
    [[nodiscard]] const SeedMeasurement* find(std::string_view task,
                                              std::string_view metric,
                                              std::string_view settings,
                                              std::size_t items) const;

    /// What to expect of an encoder that was not measured: the upper limit of a one-sided 99 % prediction
    /// interval of the logarithm, whose spread between encoders is pooled over the tasks.
    [[nodiscard]] stats::SeedVariance expected(const SeedMeasurement& measured) const;
};

/// All settings of a protocol but the seed and the number of the half, in an order of their own: what has to
/// agree where one result's variance by seed is to speak of another's.
std::string training_settings(const core::Json& protocol_settings);

const SeedTable& seed_table();

/// Variances by seed of encoders in a store as what to expect of another there: the largest, since encoders
/// differ by a factor of seven; of fewer than three twice that.
stats::SeedVariance expected_of(std::span<const stats::SeedVariance> variances);

} // namespace senteval::compare
