// Do the tests keep their level, and do the intervals cover? Nominal 5 %, between 4 and 6 %.
#include "core/parallel.hpp"
#include "stats/bootstrap.hpp"
#include "stats/correlation.hpp"
#include "stats/counter_stream.hpp"
#include "stats/mcnemar.hpp"
#include "stats/multiple.hpp"
#include "stats/williams.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <vector>

using namespace senteval;

namespace {

/// Share of the simulations in which `happens(random)` is true, each with a stream of its own.
double rate(std::size_t simulations, const std::function<bool(stats::CounterStream&)>& happens)
{
    std::vector<int> outcome(simulations);
    core::parallel_for(simulations, core::available_threads(), [&](std::size_t i) {
        stats::CounterStream random(20190604, i);
        outcome[i] = happens(random) ? 1 : 0;
    });
    const double share = static_cast<double>(std::accumulate(outcome.begin(), outcome.end(), 0)) /
                         static_cast<double>(simulations);
    MESSAGE(share);
    return share;
}

void check_level(double share)
{
    CHECK(share > 0.04);
    CHECK(share < 0.06);
}

stats::Resampling resampling(stats::CounterStream& random)
{
    stats::Resampling options;
    options.resamples = 999;
    options.seed = random.next();
    return options;
}

/// Gold scores and two predictions, equally correlated with them, and with each other.
struct Predictions {
    explicit Predictions(stats::CounterStream& random, std::size_t n)
    {
        for (std::size_t i = 0; i < n; ++i) {
            const double truth = random.normal();
            const double shared = random.normal();
            gold.push_back(truth);
            first.push_back(truth + 0.6 * shared + 0.6 * random.normal());
            second.push_back(truth + 0.6 * shared + 0.6 * random.normal());
        }
    }

    std::vector<double> gold;
    std::vector<double> first;
    std::vector<double> second;
};

/// The interval of a statistic of `sample(random)` misses `truth`.
template <typename Sample>
double miss_rate(double truth, Sample sample)
{
    return rate(3000, [&](auto& random) {
        const auto statistic = sample(random);
        const auto interval = stats::bootstrap(*statistic, resampling(random)).interval;
        return truth < interval.low || truth > interval.high;
    });
}

constexpr double rho = 0.7;

std::pair<std::vector<double>, std::vector<double>> correlated(stats::CounterStream& random)
{
    std::vector<double> x;
    std::vector<double> y;
    for (int i = 0; i < 200; ++i) {
        x.push_back(random.normal());
        y.push_back(rho * x.back() + std::sqrt(1 - rho * rho) * random.normal());
    }
    return {x, y};
}

} // namespace

TEST_CASE("McNemar's mid-p test keeps its level")
{
    check_level(rate(20000, [](auto& random) {
        std::size_t only_first = 0;
        std::size_t only_second = 0;
        for (int item = 0; item < 400; ++item) {
            const double u = random.uniform();
            only_first += u < 0.15 ? 1U : 0U;
            only_second += u > 0.85 ? 1U : 0U;
        }
        return stats::mcnemar(only_first, only_second).p_mid < 0.05;
    }));
}

TEST_CASE("the sign-flip test keeps its level")
{
    check_level(rate(5000, [](auto& random) {
        std::vector<double> differences(50);
        for (double& value : differences)
            value = std::pow(random.normal(), 3.0);
        return stats::sign_flip_p_value(differences, resampling(random)) < 0.05;
    }));
}

TEST_CASE("the paired bootstrap of means keeps its level")
{
    check_level(rate(3000, [](auto& random) {
        std::vector<double> differences(200);
        for (double& value : differences)
            value = random.normal() - random.normal();
        const auto statistic = stats::mean_statistic(differences);
        return stats::paired_bootstrap(*statistic, resampling(random)).p_value < 0.05;
    }));
}

TEST_CASE("Williams' test keeps its level")
{
    check_level(rate(20000, [](auto& random) {
        const Predictions p(random, 100);
        return stats::williams(stats::pearson(p.gold, p.first).r,
                               stats::pearson(p.gold, p.second).r,
                               stats::pearson(p.first, p.second).r, 100)
                   .p_value < 0.05;
    }));
}

TEST_CASE("the paired bootstrap of Pearson's correlations keeps its level")
{
    check_level(rate(3000, [](auto& random) {
        const Predictions p(random, 200);
        const auto statistic = stats::difference(stats::pearson_statistic(p.gold, p.first),
                                                 stats::pearson_statistic(p.gold, p.second));
        return stats::paired_bootstrap(*statistic, resampling(random)).p_value < 0.05;
    }));
}

TEST_CASE("the paired bootstrap of Spearman's correlations keeps its level")
{
    check_level(rate(3000, [](auto& random) {
        const Predictions p(random, 200);
        const auto statistic = stats::difference(stats::spearman_statistic(p.gold, p.first),
                                                 stats::spearman_statistic(p.gold, p.second));
        return stats::paired_bootstrap(*statistic, resampling(random)).p_value < 0.05;
    }));
}

TEST_CASE("ten tests adjusted by Holm err together as rarely as one")
{
    check_level(rate(10000, [](auto& random) {
        std::vector<double> p(10);
        std::generate(p.begin(), p.end(), [&] { return random.uniform(); });
        const auto adjusted = stats::holm(p);
        return *std::min_element(adjusted.begin(), adjusted.end()) < 0.05;
    }));
}

TEST_CASE("BCa intervals of a skewed mean cover")
{
    check_level(miss_rate(1.0, [](auto& random) {
        std::vector<double> values(300);
        for (double& value : values)
            value = -std::log(1 - random.uniform());
        return stats::mean_statistic(values);
    }));
}

TEST_CASE("BCa intervals of F1 cover")
{
    // 0.32 true positives, 0.08 false negatives, 0.12 false positives
    check_level(miss_rate(0.64 / 0.84, [](auto& random) {
        std::vector<std::uint32_t> gold;
        std::vector<std::uint32_t> predicted;
        for (int item = 0; item < 300; ++item) {
            gold.push_back(random.uniform() < 0.4 ? 1 : 0);
            predicted.push_back(random.uniform() < (gold.back() == 1 ? 0.8 : 0.2) ? 1 : 0);
        }
        return stats::f1_statistic(gold, predicted);
    }));
}

TEST_CASE("BCa intervals of Pearson's correlation cover")
{
    check_level(miss_rate(rho, [](auto& random) {
        const auto [x, y] = correlated(random);
        return stats::pearson_statistic(x, y);
    }));
}

TEST_CASE("BCa intervals of Spearman's correlation cover")
{
    const double truth = 6.0 / std::numbers::pi * std::asin(rho / 2);
    check_level(miss_rate(truth, [](auto& random) {
        const auto [x, y] = correlated(random);
        return stats::spearman_statistic(x, y);
    }));
}
