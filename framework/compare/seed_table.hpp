// seed_table.hpp -- how much seeds and items matter on SentEval's own tasks, as measured once.
#pragma once

#include "core/json.hpp"
#include "stats/crossed.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::compare {

/// Fewer seeds of an encoder tell little of its own variance: what else is known of it counts, too.
inline constexpr std::size_t enough_seeds = 4;

/// Over seeds, on one task.
struct MeasuredEncoder {
    std::string kind; ///< see kind_of()
    double score = 0; ///< the mean
    stats::SeedVariance by_seed;
    double norm = 0; ///< root mean square length of its vectors on the task; 0: not known
};

/// Whether one's variance by seed may speak of the other's, by the lengths of their vectors: up to 20 it depends
/// little on that; longer ones, of which the table has but GloVe's sum, vary more where vectors are multiplied.
bool are_of_like_norm(double a, double b);

/// Several encoders on one task with one classifier, over seeds.
struct SeedMeasurement {
    std::string task;
    std::string metric;
    std::string classifier;    ///< empty: the task has but one
    std::string settings = {}; ///< see training_settings()
    bool trained = true;
    std::size_t items = 0;
    std::vector<MeasuredEncoder> encoders = {};
    std::vector<double> item_deviations =
        {};                ///< of an item's share in the difference of two encoders
    bool headline = false; ///< of the task, as its protocol describes it
    std::string unit = {}; ///< of the metric, as task::Metric has it
    int digits = 2;
    /// What training sets add to the variance of a difference, by pair of encoders; empty where they were not resampled.
    std::vector<double> by_training = {};
    double training_freedom = 0; ///< of each of them

    /// Whether some encoder has so few that its variance alone says little.
    [[nodiscard]] bool has_few_seeds() const;

    /// Variance of one fit of the encoder in the middle: the mean would be that of the one that varies most. Of few
    /// seeds it is the mean nevertheless, by degrees of freedom: one that happens to be small says nothing.
    [[nodiscard]] double typical() const;

    /// Whether enough encoders with vectors of like length agree so far on how much seeds matter that it is known of
    /// one more: not where the logarithms of their variances have a variance over 1.
    [[nodiscard]] bool tells_of_others(double norm) const;

    /// Whether a score is one that some encoder with vectors of like length gives, or a better one (two standard
    /// deviations below the worst at most): one that learns less may end at the majority's class with some seeds.
    [[nodiscard]] bool reaches(double score, double norm) const;

    /// Of an encoder that was measured: of the kind, with a score that its seeds give (within three standard
    /// deviations) and vectors as long (within a quarter; 0: not known). Nothing of others.
    [[nodiscard]] std::optional<stats::SeedVariance>
    of_encoder(std::string_view kind, double score, double norm) const;

    /// `expected`, but no less than what the kind varies by: a score far from those that were measured may be of
    /// other vectors, or of a seed that went far astray.
    [[nodiscard]] stats::SeedVariance at_least_of_kind(std::string_view kind,
                                                       const stats::SeedVariance& expected) const;
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

    /// What the measurement speaks from in words; with `norm`, where it tells of an encoder with vectors of that length.
    [[nodiscard]] std::string basis(const SeedMeasurement& measured,
                                    std::optional<double> norm = {}) const;

    /// What to expect of an encoder that was not measured, by those of the table (nullptr: none) where it tells, and
    /// `here`, those of a store that were trained alike, as far as their vectors are of like length as `norm`:
    /// freedom * total / (its variance) is chi-squared, so that a test takes in how far encoders differ, and keeps
    /// its level over them. How far is measured on each
    /// task; where the table does not tell, those here are taken to differ at least as far as the table's do on its
    /// tasks together, as they may be copies of one, and so are those of the table from one that `is_worse`
    /// (SeedMeasurement::reaches()), which is expected to vary as much as the one of them that varies most. Nothing without any of them.
    [[nodiscard]] std::optional<stats::SeedVariance> expected(const SeedMeasurement* measured,
                                                              std::span<const MeasuredEncoder> here,
                                                              double norm,
                                                              bool is_worse = false) const;
};

/// All settings of a protocol but the seed and the number of the half, in an order of their own: what has to
/// agree where one result's variance by seed is to speak of another's.
std::string training_settings(const core::Json& protocol_settings);

/// What an encoder is but for its files, which results name by where they lie: id, dimension and parameters.
std::string kind_of(const core::Json& encoder);

const SeedTable& seed_table();

} // namespace senteval::compare
