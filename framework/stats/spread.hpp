// spread.hpp -- how far a score, or a difference of scores, may be off, and of whom that is said.
#pragma once

#include "stats/uncertain.hpp"

#include <optional>

namespace senteval::stats {

/// What is thought of as drawn anew when a score is said to be off by so much. Each holds those
/// before it.
enum class Population {
    items,   ///< test items: a statement about these very classifiers
    seeds,   ///< and seeds: about what the encoder gives on this training set
    training ///< and training sets: about what the encoder gives
};

struct Spread {
    double standard_error = 0;
    double freedom = 0; ///< of Student's t, by Satterthwaite (1946); see VarianceSum
    Population population = Population::items;
    /// By which p-values beyond 5 % go where they do not go by the t above (Told); else nothing.
    std::optional<Student> middle = {};

    /// Two-sided, of a difference of two scores.
    [[nodiscard]] double p_value(double difference) const;
};

/// One with limits at no level narrower than those of either; of the first's population.
Spread wider(const Spread& a, const Spread& b);

} // namespace senteval::stats
