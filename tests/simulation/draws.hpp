// draws.hpp -- what the simulations share: random choices, and the test that is looked at.
#pragma once

#include "stats/counter_stream.hpp"
#include "stats/crossed.hpp"
#include "stats/power.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace senteval::test {

inline constexpr double level = 0.05;
inline constexpr std::uint64_t seed = 20270615; // other draws than those the choices were made by

/// Of the two rows, as a comparison tests them.
inline double p_of(const stats::Crossed& crossed, std::size_t a = 0, std::size_t b = 1)
{
    const stats::Spread spread = crossed.of_difference(a, b);
    const double difference = crossed.value(a) - crossed.value(b);
    if (!(spread.standard_error > 0))
        return 1;
    return spread.p_value(difference);
}

inline std::size_t below(stats::CounterStream& random, std::size_t n)
{
    return static_cast<std::size_t>(random.uniform() * static_cast<double>(n));
}

/// The first `count` of a random order.
inline std::vector<std::size_t>
sample(stats::CounterStream& random, std::size_t n, std::size_t count)
{
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = 0; i < count; ++i)
        std::swap(order[i], order[i + below(random, n - i)]);
    order.resize(count);
    return order;
}

} // namespace senteval::test
