// signs.hpp -- the paired permutation test: as if each item's two predictions had been swapped at random.
#pragma once

#include "stats/interval.hpp"

#include <span>

namespace senteval::stats {

/// Fewer independent items than this are tested by their signs, and no fewer than `fewest_signs`, of which no
/// pattern would be rare.
inline constexpr std::size_t most_signs = 200;
inline constexpr std::size_t fewest_signs = 12;

/// Two-sided p-value of a sum of contributions, where each would be as likely with the other sign
/// (Fisher 1935): of up to 12 that are not zero over all patterns, and of more that are small multiples of one number
/// (answers that are right or wrong); of others by the saddlepoint
/// approximation (Daniels 1958; Lugannani & Rice 1980, in the form of Barndorff-Nielsen 1986). A
/// pattern with the very same sum counts half (mid-p): the test is then neither careful nor liberal on
/// average. No random numbers, and no floor but half the weight of the pattern itself. 1 where nothing
/// is other than zero.
double sign_flip_p_value(std::span<const double> contributions);

/// The differences that are not refused at `level`: sign_flip_p_value() of the contributions less the equal
/// share of each difference. It holds 0 where the p-value of the contributions is above the level. Ends may be
/// infinite where the level is smaller than any p-value.
Interval sign_flip_interval(std::span<const double> contributions, double level);

} // namespace senteval::stats
