// Fits of made-up values, for tests of what several of them tell.
#pragma once

#include "stats/counter_stream.hpp"
#include "stats/crossed.hpp"
#include "stats/statistic.hpp"

#include <cstdint>
#include <vector>

namespace senteval::test {

inline stats::Fit fit_of(std::uint64_t seed, const std::vector<double>& values)
{
    const auto statistic = stats::mean_statistic(values);
    return {seed, statistic->observed(), statistic->influence()};
}

inline std::vector<double> normal_values(stats::CounterStream& random, std::size_t count)
{
    std::vector<double> values(count);
    for (double& value : values)
        value = random.normal();
    return values;
}

inline std::vector<double> moved(std::vector<double> values, double by)
{
    for (double& value : values)
        value += by;
    return values;
}

} // namespace senteval::test
