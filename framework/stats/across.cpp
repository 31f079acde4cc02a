#include "stats/across.hpp"

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "stats/correlation.hpp"
#include "stats/counter_stream.hpp"
#include "stats/power.hpp"
#include "stats/range.hpp"

#include <boost/math/distributions/fisher_f.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace senteval::stats {
namespace {

constexpr double significance = 0.05;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// Of the difference of two mean ranks that is exceeded by chance among `rows` rows (Nemenyi 1963; Demšar 2006,
/// section 3.2.2): the studentised range's quantile, by bisection.
double critical_difference(std::size_t rows, std::size_t tasks)
{
    const NormalRange range(rows);
    double low = 0;
    double high = 10;
    while (high - low > 1e-9) {
        const double middle = (low + high) / 2;
        (range.beyond(middle) > significance ? low : high) = middle;
    }
    const auto k = static_cast<double>(rows);
    return low * std::sqrt(k * (k + 1) / (12 * static_cast<double>(tasks)));
}

/// Twice the signed ranks' sum can take these values: how many sign patterns give each.
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

/// How many orders the ranks of a task can have; those of equal ranks are one.
double orders_of(std::vector<double> ranked)
{
    double orders = std::tgamma(static_cast<double>(ranked.size()) + 1);
    std::sort(ranked.begin(), ranked.end());
    for (auto at = ranked.begin(); at != ranked.end();) {
        const auto end = std::upper_bound(at, ranked.end(), *at);
        orders /= std::tgamma(static_cast<double>(end - at) + 1);
        at = end;
    }
    return orders;
}

/// P-value of the sum of squares among random orders within the tasks.
double p_of_orders(std::vector<std::vector<double>> ranked, const Resampling& options)
{
    const double observed = between_rows(ranked);
    // The same draws, whichever order rows and tasks come in.
    for (std::vector<double>& task : ranked)
        std::sort(task.begin(), task.end());
    std::sort(ranked.begin(), ranked.end());
    double as_large = 1;
    for (std::size_t draw = 0; draw < options.resamples; ++draw) {
        CounterStream random(options.seed, draw);
        for (std::vector<double>& task : ranked)
            for (std::size_t left = task.size(); left > 1; --left)
                std::swap(
                    task[left - 1],
                    task[static_cast<std::size_t>(random.uniform() * static_cast<double>(left))]);
        as_large += between_rows(ranked) >= observed - 1e-9 ? 1.0 : 0.0;
    }
    return as_large / (static_cast<double>(options.resamples) + 1);
}

} // namespace

Friedman friedman(std::span<const std::vector<double>> scores, const Resampling& options)
{
    if (scores.size() < 2 || scores.front().size() < 2)
        throw core::Error("Friedman's test needs two tasks and two encoders at least");
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
    const double between = between_rows(result.ranks);
    const double level_sum = n * k * (k + 1) * (k + 1) / 4;
    const double chi =
        squares > level_sum ? (k - 1) * (between - n * level_sum) / (squares - level_sum) : 0.0;
    const double rest = n * (k - 1) - chi;
    result.f = rest > 1e-9 ? (n - 1) * chi / rest : infinite;
    constexpr std::size_t few = 10; // of which F rejects too often: of 3 with 3 rows in 20 %
    if (std::isinf(result.f))
        result.p_value =
            std::pow(orders_of(result.ranks.front()), 1 - n); // every task has the same order
    else if (scores.size() < few)
        result.p_value = p_of_orders(result.ranks, options);
    else
        result.p_value = boost::math::cdf(
            boost::math::complement(boost::math::fisher_f(k - 1, (k - 1) * (n - 1)), result.f));
    result.critical_difference = critical_difference(rows, scores.size());
    return result;
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

std::size_t replicability(std::span<const double> p_values, double at_level)
{
    std::vector<double> ascending;
    for (const double p : p_values)
        ascending.push_back(std::isnan(p) ? 1.0 : p);
    std::sort(ascending.begin(), ascending.end());
    std::size_t u = 0;
    while (u < ascending.size() &&
           static_cast<double>(ascending.size() - u) * ascending[u] <= at_level)
        ++u;
    return u;
}

SignedRank
bayesian_signed_rank(std::span<const double> differences, double rope, const Resampling& options)
{
    constexpr double prior = 0.5;
    std::vector<double> z{0.0};
    z.insert(z.end(), differences.begin(), differences.end());
    std::sort(z.begin() + 1, z.end()); // the same draws, whichever order the tasks come in
    std::vector<SignedRank> draws(options.resamples);
    core::parallel_for(options.resamples, options.threads, [&](std::size_t draw) {
        CounterStream random(options.seed, draw);
        // Gamma(1) is exponential; Gamma(1/2) is half the square of a normal.
        std::vector<double> weights;
        const double normal = random.normal();
        weights.push_back(prior * normal * normal);
        while (weights.size() < z.size())
            weights.push_back(-std::log(1.0 - random.uniform()));
        SignedRank& share = draws[draw];
        double all = 0;
        for (std::size_t i = 0; i < z.size(); ++i)
            for (std::size_t j = 0; j < z.size(); ++j) {
                const double weight = weights[i] * weights[j];
                const double sum = z[i] + z[j];
                (sum > 2 * rope    ? share.first
                 : sum < -2 * rope ? share.second
                                   : share.equivalent) += weight;
                all += weight;
            }
        for (double* part : {&share.first, &share.equivalent, &share.second})
            *part /= all;
    });
    SignedRank result;
    for (const SignedRank& draw : draws) {
        const double most = std::max({draw.first, draw.equivalent, draw.second});
        double& winner = most == draw.first    ? result.first
                         : most == draw.second ? result.second
                                               : result.equivalent;
        winner += 1.0 / static_cast<double>(draws.size());
    }
    return result;
}

} // namespace senteval::stats
