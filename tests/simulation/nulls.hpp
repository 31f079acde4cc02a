// nulls.hpp -- comparisons of what is equal: how often is it told apart?
#pragma once

#include "draws.hpp"

#include "compare/results.hpp"
#include "stats/bootstrap.hpp"
#include "stats/crossed.hpp"
#include "stats/max_t.hpp"
#include "task/metric.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace senteval::test {

/// Fits of one encoder on one task, one per seed, and the items' sources.
struct Seeds {
    std::string task;
    std::string kind; ///< of the encoder, as the built-in table names it
    task::Metric metric;
    std::vector<stats::Fit> fits;
    stats::Sources sources;
    double norm = 0; ///< of the encoder's vectors
};

/// Of the only encoder of a store, by the tasks' headlines and the further metrics that are named.
std::vector<Seeds> read_seeds(const std::string& store,
                              const std::vector<std::string>& further = {});

/// Of all pairs of rows, as a comparison takes it.
stats::SmallestP smallest_p(const stats::Crossed& crossed, const stats::Resampling& options);

/// The adjusted p-values that a comparison with the best gives, by row; the best has 1.
std::vector<double> to_best(const stats::Crossed& crossed, const stats::Resampling& options);

/// Share of `draws` in which two groups of `each` seeds, drawn without replacement, differ at 5 %; of one each,
/// share of all pairs. `by_seed`: what is known of the variance by seed, for groups of one or two.
double self_rejections(const Seeds& seeds,
                       std::size_t each,
                       std::size_t draws,
                       std::optional<stats::SeedVariance> by_seed);

/// Share of draws in which an encoder is told from itself by one seed each, where the variance by seed of `encoders`
/// others was measured over 30 seeds: variances with the spread of an inverse chi-squared distribution of
/// `freedom`, beside which items hardly vary.
double unseen_rejections(std::size_t encoders, double freedom, std::size_t draws);

/// Share of draws in which some one of `groups` groups of `each` seeds is told from the best.
double family_rejections(const Seeds& seeds,
                         std::size_t groups,
                         std::size_t each,
                         std::size_t draws,
                         std::optional<stats::SeedVariance> by_seed = {});

/// The items of a result that were chosen.
run::Items part_of(const run::Items& all, const std::vector<std::size_t>& chosen);

/// Share of draws in which two predictions of the same items, swapped at random item by item, differ:
/// an exact null, where they are on the same scale. Also that of Williams' test, for Pearson's r.
struct SwapNull {
    double rejections = 0;
    double williams = 0; ///< NaN for other metrics
};
SwapNull swap_rejections(const run::Cell& first,
                         const run::Cell& second,
                         const task::Metric& metric,
                         std::size_t items, ///< a random part of them; 0: all
                         std::size_t draws);

/// `rows` equally good encoders but for the last, which is worse by `shift` standard errors of a
/// difference: share of draws in which an equal one is told from the best, and in which the worse one is;
/// the latter also by t tests of all pairs with Holm's correction, told from any other or from the best of them.
struct FamilyNull {
    double false_verdicts = 0;
    double found = 0;
    double found_by_holm = 0;
    double found_by_holm_from_best = 0;
};
/// `by_seed`: variance of a fit by its seed, over that of a mean of the items.
FamilyNull family(std::size_t rows,
                  double shift,
                  std::size_t items,
                  std::size_t seeds,
                  std::size_t draws,
                  double by_seed = 0.25);

/// Power in a simulation where the true difference is the median of what comparisons print as detectable, judged at
/// the level `at`.
double power_at_detectable(
    std::size_t items, std::size_t seeds, double by_seed, std::size_t draws, double at = level);

} // namespace senteval::test
