#include "stats/max_t.hpp"

#include "core/parallel.hpp"
#include "stats/counter_stream.hpp"

#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace senteval::stats {
namespace {

constexpr std::size_t draws_per_job = 64;

/// Lower triangle L with L L' = covariance; a pivot that is not positive makes a column of zeros.
std::vector<double> cholesky(std::span<const double> covariance, std::size_t rows)
{
    std::vector<double> l(rows * rows);
    for (std::size_t j = 0; j < rows; ++j) {
        double pivot = covariance[j * rows + j];
        for (std::size_t k = 0; k < j; ++k)
            pivot -= l[j * rows + k] * l[j * rows + k];
        if (!(pivot > 1e-10 * covariance[j * rows + j]))
            continue;
        l[j * rows + j] = std::sqrt(pivot);
        for (std::size_t i = j + 1; i < rows; ++i) {
            double rest = covariance[i * rows + j];
            for (std::size_t k = 0; k < j; ++k)
                rest -= l[i * rows + k] * l[j * rows + k];
            l[i * rows + j] = rest / l[j * rows + j];
        }
    }
    return l;
}

/// One over the standard deviation of each pair's difference as it is drawn; 0 where there is none.
std::vector<double>
scales_of(std::span<const double> l, std::size_t rows, std::span<const Pair> pairs)
{
    std::vector<double> scales;
    for (const Pair& pair : pairs) {
        double variance = 0;
        for (std::size_t k = 0; k < rows; ++k) {
            const double d = l[pair.first * rows + k] - l[pair.second * rows + k];
            variance += d * d;
        }
        scales.push_back(variance > 0 ? 1.0 / std::sqrt(variance) : 0.0);
    }
    return scales;
}

double two_sided_z(double p)
{
    return std::numbers::sqrt2 * boost::math::erfc_inv(p);
}

double two_sided_p(double z)
{
    return boost::math::erfc(z / std::numbers::sqrt2);
}

} // namespace

std::vector<Pair> all_pairs(std::size_t rows)
{
    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < rows; ++a)
        for (std::uint32_t b = a + 1; b < rows; ++b)
            pairs.push_back({a, b});
    return pairs;
}

SmallestP::SmallestP(std::span<const double> covariance,
                     std::size_t rows,
                     std::vector<Pair> pairs,
                     const Resampling& options)
    : comparisons_(static_cast<double>(pairs.size()))
{
    if (pairs.size() < 2)
        return; // a comparison alone is what it is
    if (pairs.size() == rows * (rows - 1) / 2)
        range_.emplace(rows);
    const std::vector<double> l = cholesky(covariance, rows);
    const std::vector<double> scales = scales_of(l, rows, pairs);
    std::vector<double> largest(options.resamples);
    const std::size_t blocks = (options.resamples + draws_per_job - 1) / draws_per_job;
    core::parallel_for(blocks, options.threads, [&](std::size_t job) {
        std::vector<double> normal(rows);
        std::vector<double> score(rows);
        const std::size_t end = std::min((job + 1) * draws_per_job, options.resamples);
        for (std::size_t draw = job * draws_per_job; draw < end; ++draw) {
            CounterStream random(options.seed, draw);
            for (double& value : normal)
                value = random.normal();
            for (std::size_t i = 0; i < rows; ++i) {
                double sum = 0;
                for (std::size_t k = 0; k <= i; ++k)
                    sum += l[i * rows + k] * normal[k];
                score[i] = sum;
            }
            double most = 0;
            for (std::size_t at = 0; at < pairs.size(); ++at)
                most = std::max(most, std::abs(score[pairs[at].first] - score[pairs[at].second]) *
                                          scales[at]);
            largest[draw] = most;
        }
    });
    for (const double z : largest)
        smallest_.push_back(two_sided_p(z));
    std::sort(smallest_.begin(), smallest_.end());
}

double SmallestP::adjusted(double p, std::size_t tables) const
{
    if (std::isnan(p))
        return p;
    double here = std::min(1.0, comparisons_ * p); // Bonferroni
    constexpr double same = 1e-9;                  // where Tukey's range is no closer
    if (range_ && here > same)
        here = std::min(here, range_->beyond(std::numbers::sqrt2 * two_sided_z(p)));
    if (!smallest_.empty()) {
        const auto as_small = static_cast<double>(
            std::upper_bound(smallest_.begin(), smallest_.end(), p) - smallest_.begin());
        here = std::min(here, (as_small + 1) / (static_cast<double>(smallest_.size()) + 1));
    }
    here = std::max(here, p);
    return -std::expm1(static_cast<double>(tables) * std::log1p(-here));
}

double SmallestP::single(double level, std::size_t tables) const
{
    // adjusted() does not fall in p: bisection, over the exponent, since p may be very small.
    double low = -60;
    double high = std::log(level);
    if (adjusted(level, tables) <= level)
        return level;
    for (int step = 0; step < 100; ++step) {
        const double middle = (low + high) / 2;
        (adjusted(std::exp(middle), tables) <= level ? low : high) = middle;
    }
    return std::exp(low);
}

} // namespace senteval::stats
