#include "stats/bootstrap.hpp"

#include "core/error.hpp"
#include "core/nan.hpp"
#include "core/parallel.hpp"
#include "stats/counter_stream.hpp"
#include "stats/quantile.hpp"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace senteval::stats {
namespace {

using core::nan;
constexpr std::size_t block = 64; ///< resamples computed in one job

/// Calls body(begin, end) for blocks of resamples that together are all of them.
template <typename Body>
void for_each_resample(const Resampling& options, Body body)
{
    if (options.resamples == 0)
        throw core::Error("resampling needs at least one resample");
    const std::size_t blocks = (options.resamples + block - 1) / block;
    core::parallel_for(blocks, options.threads, [&](std::size_t job) {
        body(job * block, std::min((job + 1) * block, options.resamples));
    });
}

/// Draws `counts.size()` items with replacement. An item is the high half of a 32 x 32 bit product:
/// its probability is off by less than n / 2^32.
void draw(CounterStream& random, std::span<std::uint32_t> counts)
{
    const std::uint64_t n = counts.size();
    for (std::size_t left = counts.size(); left > 1; left -= 2) {
        const std::uint64_t bits = random.next();
        ++counts[((bits >> 32U) * n) >> 32U];
        ++counts[((bits & 0xffffffffU) * n) >> 32U];
    }
    if (n % 2 == 1)
        ++counts[((random.next() >> 32U) * n) >> 32U];
}

struct Acceleration {
    double z0 = 0;
    double a = 0;

    /// The probability whose quantile is the end of the interval at `z`.
    [[nodiscard]] double level(double z) const
    {
        const double shifted = z0 + z;
        const double stretch = 1.0 - a * shifted;
        if (!(stretch > 0)) // beyond the pole of the transformation: the outermost resample
            return a > 0 ? 1.0 : 0.0;
        return boost::math::cdf(boost::math::normal(), z0 + shifted / stretch);
    }
};

double bias_correction(std::span<const double> ascending, double value)
{
    const auto [low, high] = std::equal_range(ascending.begin(), ascending.end(), value);
    const auto below = static_cast<double>(low - ascending.begin());
    const auto equal = static_cast<double>(high - low);
    const auto n = static_cast<double>(ascending.size());
    // Half a resample at either end keeps the quantile finite.
    const double share = std::clamp((below + equal / 2.0) / n, 0.5 / n, 1.0 - 0.5 / n);
    return boost::math::quantile(boost::math::normal(), share);
}

double acceleration(std::span<const double> influence)
{
    double squares = 0;
    double cubes = 0;
    for (const double value : influence) {
        squares += value * value;
        cubes += value * value * value;
    }
    return squares > 0 ? cubes / (6.0 * squares * std::sqrt(squares)) : 0.0;
}

Interval bca(std::span<const double> ascending,
             double value,
             std::span<const double> influence,
             double level)
{
    if (std::isnan(value) || ascending.empty())
        return {nan, nan};
    if (ascending.front() == ascending.back())
        return {ascending.front(), ascending.front()};
    const Acceleration shape{bias_correction(ascending, value), acceleration(influence)};
    const double z = normal_quantile_two_sided(level);
    return {quantile_of_sorted(ascending, shape.level(-z)),
            quantile_of_sorted(ascending, shape.level(z))};
}

Estimate estimate(const Statistic& statistic, std::vector<double> replicates, double level)
{
    std::erase_if(replicates, [](double value) { return std::isnan(value); });
    std::sort(replicates.begin(), replicates.end());
    const double value = statistic.observed();
    const Interval interval = bca(replicates, value, statistic.influence(), level);
    return {value, interval, summarise(replicates).sd};
}

/// Sum of the values, each with its sign flipped where its bit of the pattern is set.
double signed_sum(std::span<const double> values, std::uint64_t pattern)
{
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += (pattern >> i & 1U) != 0 ? -values[i] : values[i];
    return sum;
}

double random_signed_sum(std::span<const double> values, CounterStream random)
{
    double sum = 0;
    for (; values.size() > 64; values = values.subspan(64))
        sum += signed_sum(values.first(64), random.next());
    return sum + signed_sum(values, random.next());
}

} // namespace

std::vector<double> bootstrap_replicates(const Statistic& statistic, const Resampling& options)
{
    const std::vector<std::size_t> strata = statistic.strata();
    const std::size_t items = statistic.items();
    std::vector<double> result(options.resamples);
    for_each_resample(options, [&](std::size_t begin, std::size_t end) {
        std::vector<std::uint32_t> counts(items);
        for (std::size_t resample = begin; resample < end; ++resample) {
            std::fill(counts.begin(), counts.end(), 0U);
            CounterStream random(options.seed, resample);
            std::span<std::uint32_t> rest = counts;
            for (const std::size_t size : strata) {
                draw(random, rest.first(size));
                rest = rest.subspan(size);
            }
            result[resample] = statistic.value(counts);
        }
    });
    return result;
}

Estimate bootstrap(const Statistic& statistic, const Resampling& options)
{
    return estimate(statistic, bootstrap_replicates(statistic, options), options.level);
}

std::vector<double> influence_of(const Statistic& statistic, const Resampling& options)
{
    if (statistic.is_smooth())
        return statistic.jackknife();
    std::vector<double> values = bootstrap_replicates(statistic, options);
    const double mean = summarise(values).mean;
    const double root = std::sqrt(static_cast<double>(values.size()));
    for (double& value : values)
        value = (value - mean) / root;
    return values;
}

PairedTest paired_bootstrap(const Statistic& statistic, const Resampling& options)
{
    const std::vector<double> replicates = bootstrap_replicates(statistic, options);
    const double observed = statistic.observed();
    // Equal distances must count as equal although they were summed in another order.
    const double distance = std::abs(observed) * (1.0 - 1e-12);
    std::size_t defined = 0;
    std::size_t as_far = 0;
    for (const double value : replicates) {
        defined += std::isnan(value) ? 0U : 1U;
        as_far += std::abs(value - observed) >= distance ? 1U : 0U;
    }
    const double p = static_cast<double>(as_far + 1) / static_cast<double>(defined + 1);
    const Estimate interval = estimate(statistic, replicates, options.level);
    return {observed, interval.interval, std::isnan(observed) ? nan : p};
}

double sign_flip_p_value(std::span<const double> differences, const Resampling& options)
{
    std::vector<double> values(differences.begin(), differences.end());
    std::erase(values, 0.0); // their sign changes nothing
    double spread = 0;
    for (const double value : values)
        spread += std::abs(value);
    const double distance =
        std::abs(std::accumulate(values.begin(), values.end(), 0.0)) - 1e-12 * spread;

    const bool exact =
        values.size() < 63 && (std::uint64_t{1} << values.size()) <= options.resamples;
    Resampling patterns = options;
    if (exact)
        patterns.resamples = std::size_t{1} << values.size();
    std::vector<char> as_far(patterns.resamples);
    for_each_resample(patterns, [&](std::size_t begin, std::size_t end) {
        for (std::size_t resample = begin; resample < end; ++resample) {
            const double sum = exact ? signed_sum(values, resample)
                                     : random_signed_sum(values, {options.seed, resample});
            as_far[resample] = std::abs(sum) >= distance ? 1 : 0;
        }
    });
    const auto count = static_cast<double>(std::count(as_far.begin(), as_far.end(), 1));
    const auto all = static_cast<double>(as_far.size());
    return exact ? count / all : (count + 1.0) / (all + 1.0);
}

} // namespace senteval::stats
