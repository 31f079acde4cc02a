#include "stats/bootstrap.hpp"

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "stats/counter_stream.hpp"
#include "stats/quantile.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::stats {
namespace {

constexpr std::size_t block = 64; ///< resamples computed in one job

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

} // namespace

std::vector<double> bootstrap_replicates(const Statistic& statistic,
                                         const Resampling& options,
                                         std::span<const std::uint32_t> cluster)
{
    if (options.resamples == 0)
        throw core::Error("resampling needs at least one resample");
    const std::size_t items = statistic.items();
    const std::vector<std::size_t> strata =
        cluster.empty() ? statistic.strata()
                        : std::vector<std::size_t>{
                              *std::max_element(cluster.begin(), cluster.end()) + std::size_t{1}};
    std::vector<double> result(options.resamples);
    const std::size_t blocks = (options.resamples + block - 1) / block;
    core::parallel_for(blocks, options.threads, [&](std::size_t job) {
        std::vector<std::uint32_t> counts(cluster.empty() ? items : strata.front());
        std::vector<std::uint32_t> of_items(cluster.size());
        const std::size_t end = std::min((job + 1) * block, options.resamples);
        for (std::size_t resample = job * block; resample < end; ++resample) {
            std::fill(counts.begin(), counts.end(), 0U);
            CounterStream random(options.seed, resample);
            std::span<std::uint32_t> rest = counts;
            for (const std::size_t size : strata) {
                draw(random, rest.first(size));
                rest = rest.subspan(size);
            }
            for (std::size_t item = 0; item < cluster.size(); ++item)
                of_items[item] = counts[cluster[item]];
            result[resample] = statistic.value(cluster.empty() ? counts : of_items);
        }
    });
    return result;
}

std::vector<double> influence_of(const Statistic& statistic,
                                 const Resampling& options,
                                 std::span<const std::uint32_t> cluster)
{
    if (statistic.is_smooth())
        return statistic.jackknife();
    std::vector<double> values = bootstrap_replicates(statistic, options, cluster);
    const double mean = summarise(values).mean;
    const double root = std::sqrt(static_cast<double>(values.size()));
    for (double& value : values)
        value = (value - mean) / root;
    return values;
}

} // namespace senteval::stats
