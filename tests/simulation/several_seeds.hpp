// several_seeds.hpp -- different encoders of several seeds that are equally good: their items vary, too.
#pragma once

#include "compare/results.hpp"

#include <cstddef>

namespace senteval::test {

/// Share of `draws` in which two encoders of `seeds` seeds each are told apart by the mean square of errors on `items` items,
/// where the encoders' own errors have the tails of Student's t with three degrees of freedom: few of them make the
/// difference. Each seed makes the encoder's own errors, which are then nearly all there are, larger or smaller, by `stretch`
/// standard deviations, or moves all along a direction of their own.
double
long_tailed_rejections(std::size_t items, std::size_t seeds, double stretch, std::size_t draws);

/// The same by a share of right answers of `accuracy`: where that is near 1, few items tell encoders apart.
double
few_errors_rejections(std::size_t items, std::size_t seeds, double accuracy, std::size_t draws);

/// The same of real predictions, `seeds` of each encoder's drawn at random, where those of an item are swapped at random,
/// all seeds alike. `items`: a random part of them; 0: all.
double swapped_seeds_rejections(const compare::Runs& first,
                                const compare::Runs& second,
                                const task::Metric& metric,
                                std::size_t items,
                                std::size_t seeds,
                                std::size_t draws);

} // namespace senteval::test
