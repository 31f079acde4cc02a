#include "stats/counter_stream.hpp"

#include <cmath>
#include <numbers>

namespace senteval::stats {

double CounterStream::normal() noexcept
{
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

} // namespace senteval::stats
