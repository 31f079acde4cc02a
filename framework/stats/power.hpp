// power.hpp -- the smallest difference that a test set of this size can show.
#pragma once

#include <cstddef>

namespace senteval::stats {

struct Power {
    double power = 0.80; ///< probability of finding the difference
    double alpha = 0.05; ///< two-sided level of the test
};

/// Between two accuracies on the same n items, of which the share `discordant` is right by exactly
/// one of the two: the d that solves n d^2 = (z_alpha sqrt(discordant) + z_power sqrt(discordant -
/// d^2))^2 (Miettinen 1968; Connor 1987, Biometrics 43, eq. 3). At most `discordant`, which no
/// difference can exceed; NaN where even that cannot be found at this n.
double detectable_accuracy_difference(double discordant, std::size_t n, Power power = {});

/// Between two means of the same n items, from the standard deviation of the items' differences:
/// (z_alpha + z_power) sd / sqrt(n).
double detectable_mean_difference(double sd, std::size_t n, Power power = {});

} // namespace senteval::stats
