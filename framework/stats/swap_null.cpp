#include "stats/swap_null.hpp"

#include "stats/counter_stream.hpp"
#include "stats/power.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace senteval::stats {
namespace {

constexpr double few = 10;
constexpr double slack = 1e-9; ///< sums in another order
constexpr std::uint64_t seed = 1111;

double student(CounterStream& random, double freedom)
{
    const double size = t_quantile(std::max(random.uniform(), 0x1.0p-53), freedom);
    return (random.next() & 1U) != 0 ? size : -size;
}

} // namespace

SwapNull::SwapNull(std::vector<double> swapped, double beside, double freedom)
    : sizes_(std::move(swapped)), freedom_(freedom)
{
    double squares = 0;
    for (std::size_t draw = 0; draw < sizes_.size(); ++draw) {
        squares += sizes_[draw] * sizes_[draw];
        CounterStream random(seed, draw);
        const double error = beside > 0 ? beside * student(random, freedom) : 0.0;
        sizes_[draw] = std::abs(sizes_[draw] + error);
    }
    standard_error_ = std::hypot(std::sqrt(squares / static_cast<double>(sizes_.size())), beside);
    if (beside > 0) // Welch's, of what is uncertain of its variance and what is not
        freedom_ *= std::pow(standard_error_ / beside, 4);
    std::sort(sizes_.begin(), sizes_.end());
}

double SwapNull::drawn_p_value(double size) const
{
    const double rounding = slack * sizes_.back();
    const auto from = std::lower_bound(sizes_.begin(), sizes_.end(), size - rounding);
    const auto to = std::upper_bound(from, sizes_.end(), size + rounding);
    const auto larger = static_cast<double>(sizes_.end() - to);
    const auto equal = static_cast<double>(to - from);
    return (larger + equal / 2) / static_cast<double>(sizes_.size());
}

double SwapNull::p_value(double difference) const
{
    const double size = std::abs(difference);
    const double drawn = drawn_p_value(size);
    const double least = few / static_cast<double>(sizes_.size());
    if (drawn >= least)
        return drawn;
    const double by_t = standard_error_ > 0 ? t_p_value(size / standard_error_, freedom_) : 0.0;
    return std::min(least, std::max(drawn, by_t));
}

double SwapNull::half_width(double level) const
{
    const auto draws = static_cast<double>(sizes_.size());
    const double beyond = std::floor(std::clamp(level, 0.0, 1.0) * draws);
    const auto at = static_cast<std::size_t>(std::max(0.0, draws - beyond - 1));
    const double drawn = beyond < draws ? sizes_[at] : 0.0;
    return level * draws >= few ? drawn
                                : std::max(drawn, standard_error_ * t_quantile(level, freedom_));
}

} // namespace senteval::stats
