// bootstrap.hpp -- intervals and paired tests by resampling the test items.
#pragma once

#include "stats/interval.hpp"
#include "stats/statistic.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::stats {

/// The same seed gives the same bits on any number of threads: every resample has a random stream
/// of its own.
struct Resampling {
    std::size_t resamples = 10000;
    std::uint64_t seed = 1111;
    unsigned threads = 1;
    double level = 0.95; ///< of the interval
};

struct Estimate {
    double value = 0; ///< of the items as they are
    Interval interval;
    double standard_error = 0; ///< standard deviation of the resampled values
};

/// The statistic of every resample, in order of the resamples: each stratum's items drawn with
/// replacement. Throws core::Error where no resamples are asked for.
std::vector<double> bootstrap_replicates(const Statistic& statistic, const Resampling& options);

/// Bias-corrected and accelerated interval (BCa; Efron 1987, section 3; Efron & Tibshirani 1993,
/// eq. 14.9-14.15, acceleration from influence values as in eq. 22.29, over strata as in Davison &
/// Hinkley 1997, section 5.3.2). Resamples where the statistic is not defined are left out; the ends
/// are NaN where the statistic itself is not. All resamples equal: the interval is that point.
Estimate bootstrap(const Statistic& statistic, const Resampling& options);

/// Values whose sum of squares is the variance of the statistic by its items, and whose sums of products
/// are the covariances of several: its jackknife values, or, where it is not smooth, what the resamples
/// are off by, over the root of their number.
std::vector<double> influence_of(const Statistic& statistic, const Resampling& options);

/// A paired comparison: the difference with its interval, and the two-sided p-value of "no
/// difference".
struct PairedTest {
    double difference = 0;
    Interval interval;
    double p_value = 0;
};

/// `statistic` is a difference() or the mean of differences. The p-value is the share of resamples
/// that lie at least as far from the observed difference as that lies from zero (the shift method:
/// Noreen 1989, ch. 4; Berg-Kirkpatrick, Burkett & Klein 2012, section 3), with one added to both
/// counts, so that it is never zero. NaN where the difference is.
PairedTest paired_bootstrap(const Statistic& statistic, const Resampling& options);

/// Sign-flip permutation test of "the mean difference is zero" (Fisher 1935; Good 2005, section
/// 3.2): all sign patterns where they are no more than the resamples, otherwise random ones, with
/// one added to both counts (Phipson & Smyth 2010). 1 where no difference is other than zero.
double sign_flip_p_value(std::span<const double> differences, const Resampling& options);

} // namespace senteval::stats
