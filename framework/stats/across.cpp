#include "stats/across.hpp"

#include "base/error.hpp"
#include "stats/correlation.hpp"
#include "stats/counter_stream.hpp"

#include <boost/math/distributions/chi_squared.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace senteval::stats {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Number of sign patterns that give each value of twice the signed ranks' sum.
std::vector<double> patterns_of(std::span<const double> ranks)
{
    std::vector<double> count{1};
    for (const double rank : ranks) {
        const auto step = static_cast<std::size_t>(std::lround(2 * rank));
        std::vector<double> next(count.size() + step);
        for (std::size_t at = 0; at < count.size(); ++at) {
            next[at] += count[at];
            next[at + step] += count[at];
        }
        count = std::move(next);
    }
    return count;
}

double exact_p(std::span<const double> ranks, double less)
{
    const auto patterns = patterns_of(ranks);
    const auto end = static_cast<std::size_t>(std::lround(2 * less)) + 1;
    const double below = std::accumulate(
        patterns.begin(),
        patterns.begin() + static_cast<std::ptrdiff_t>(std::min(end, patterns.size())), 0.0);
    return std::min(1.0, 2 * below / std::pow(2.0, static_cast<double>(ranks.size())));
}

double normal_p(std::span<const double> ranks, double less)
{
    const double all = std::accumulate(ranks.begin(), ranks.end(), 0.0);
    const double squares = std::inner_product(ranks.begin(), ranks.end(), ranks.begin(), 0.0);
    const double z = (all / 2 - less - 0.5) / std::sqrt(squares / 4);
    return z <= 0 ? 1.0 : t_p_value(z, infinite);
}

/// Sum of squares of the rows' rank sums.
double between_rows(std::span<const std::vector<double>> ranked)
{
    double sum = 0;
    for (std::size_t row = 0; row < ranked.front().size(); ++row) {
        double own = 0;
        for (const std::vector<double>& task : ranked)
            own += task[row];
        sum += own * own;
    }
    return sum;
}

} // namespace

Friedman friedman(std::span<const std::vector<double>> scores)
{
    if (scores.size() < 2 || scores.front().size() < 2)
        throw base::Error("Friedman's test needs two tasks and two encoders at least");
    const std::size_t rows = scores.front().size();
    const auto k = static_cast<double>(rows);
    const auto n = static_cast<double>(scores.size());
    Friedman result;
    result.mean_ranks.resize(rows);
    double squares = 0;
    for (const std::vector<double>& task : scores) {
        std::vector<double> negative;
        std::transform(task.begin(), task.end(), std::back_inserter(negative), std::negate<>());
        result.ranks.push_back(stats::ranks(negative));
        for (std::size_t row = 0; row < rows; ++row) {
            result.mean_ranks[row] += result.ranks.back()[row]; // halves: the sum is exact
            squares += result.ranks.back()[row] * result.ranks.back()[row];
        }
    }
    for (double& rank : result.mean_ranks)
        rank /= n;
    const double level_sum = n * k * (k + 1) * (k + 1) / 4;
    if (!(squares > level_sum))
        return result; // all are tied on every task
    result.chi_squared =
        (k - 1) * (between_rows(result.ranks) - n * level_sum) / (squares - level_sum);
    result.p_value = boost::math::cdf(boost::math::complement(boost::math::chi_squared(k - 1),
                                                              std::max(0.0, result.chi_squared)));
    return result;
}

std::vector<Interval> mean_rank_intervals(std::span<const std::vector<double>> ranks)
{
    constexpr std::size_t draws = 10'000;
    const std::size_t rows = ranks.front().size();
    const auto n = static_cast<double>(ranks.size());
    std::vector<std::vector<double>> sums(rows, std::vector<double>(draws));
    for (std::size_t draw = 0; draw < draws; ++draw) {
        CounterStream random(0, draw);
        for (std::size_t drawn = 0; drawn < ranks.size(); ++drawn) {
            const auto& task = ranks[static_cast<std::size_t>(random.uniform() * n)];
            for (std::size_t row = 0; row < rows; ++row)
                sums[row][draw] += task[row]; // halves: exact
        }
    }
    std::vector<Interval> intervals;
    for (std::vector<double>& of_row : sums) {
        std::ranges::sort(of_row);
        intervals.push_back({of_row[draws / 40] / n, of_row[draws - 1 - draws / 40] / n});
    }
    return intervals;
}

double wilcoxon(std::span<const double> differences)
{
    std::vector<double> sizes;
    for (const double d : differences)
        sizes.push_back(std::abs(d));
    std::vector<double> ranked = ranks(sizes);
    double plus = 0;
    double minus = 0;
    std::vector<double> signed_ranks;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] == 0) { // half for either side
            plus += ranked[i] / 2;
            minus += ranked[i] / 2;
            continue;
        }
        (differences[i] > 0 ? plus : minus) += ranked[i];
        signed_ranks.push_back(ranked[i]);
    }
    if (signed_ranks.empty())
        return 1;
    const double all = std::accumulate(signed_ranks.begin(), signed_ranks.end(), 0.0);
    const double less = std::min(plus, minus) - (plus + minus - all) / 2;
    constexpr std::size_t most_exact = 25;
    return signed_ranks.size() <= most_exact ? exact_p(signed_ranks, less)
                                             : normal_p(signed_ranks, less);
}

} // namespace senteval::stats
