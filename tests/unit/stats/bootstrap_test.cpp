#include "core/error.hpp"
#include "stats/bootstrap.hpp"
#include "stats/quantile.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

using namespace senteval;

namespace {

stats::Resampling resampling(std::size_t resamples, unsigned threads = 2)
{
    stats::Resampling options;
    options.resamples = resamples;
    options.threads = threads;
    return options;
}

// The law school data (Efron & Tibshirani 1993, table 3.1).
const std::vector<double> lsat = {576, 635, 558, 578, 666, 580, 555, 661,
                                  651, 605, 653, 575, 545, 572, 594};
const std::vector<double> gpa = {3.39, 3.30, 2.81, 3.03, 3.44, 3.07, 3.00, 3.43,
                                 3.36, 3.13, 3.12, 2.74, 2.76, 2.88, 2.96};

} // namespace

TEST_CASE("the replicates of a correlation vary as the bootstrap's do")
{
    const auto replicates =
        stats::bootstrap_replicates(*stats::pearson_statistic(lsat, gpa), resampling(20000));
    // Efron & Tibshirani 1993, table 6.1: 0.132 to 0.136
    CHECK(stats::summarise(replicates).sd == doctest::Approx(0.134).epsilon(0.03));
}

TEST_CASE("resampling gives the same bits on any number of threads, and others for another seed")
{
    const auto statistic = stats::spearman_statistic(lsat, gpa);
    auto options = resampling(1001, 1);
    const auto one = stats::bootstrap_replicates(*statistic, options);
    options.threads = 3;
    CHECK(stats::bootstrap_replicates(*statistic, options) == one);
    options.seed = 2;
    CHECK(stats::bootstrap_replicates(*statistic, options) != one);
}

TEST_CASE("items of a stratum are drawn from that stratum only, each as often as it is large")
{
    std::vector<stats::StatisticPtr> parts;
    parts.push_back(stats::mean_statistic(std::array<double, 3>{1, 1, 1}));
    parts.push_back(stats::mean_statistic(std::array<double, 2>{0, 100}));
    const auto statistic = stats::weighted_sum(std::move(parts), {1, 1});
    double sum = 0;
    for (const double value : stats::bootstrap_replicates(*statistic, resampling(4000))) {
        CHECK((value == 1 || value == 51 || value == 101));
        sum += value;
    }
    CHECK(sum / 4000 == doctest::Approx(51).epsilon(0.03));
}

TEST_CASE("whole clusters are drawn")
{
    const std::vector<double> values = {1, 1, 1, 5, 5, 5, 9, 9, 9};
    const std::vector<std::uint32_t> cluster = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    const auto mean = stats::mean_statistic(values);
    const auto spread = [&](std::span<const std::uint32_t> of) {
        return stats::summarise(stats::bootstrap_replicates(*mean, resampling(4000), of)).sd;
    };
    CHECK(spread(cluster) == doctest::Approx(std::sqrt(32.0 / 9)).epsilon(0.05)); // 3 values
    CHECK(spread({}) == doctest::Approx(std::sqrt(32.0 / 27)).epsilon(0.05));     // 9
    const auto median = stats::median_statistic(values);
    for (const double value : stats::bootstrap_replicates(*median, resampling(200), cluster))
        CHECK((value == 1 || value == 5 || value == 9));
}

TEST_CASE("no resamples are refused")
{
    const std::array<double, 3> values = {2, 2, 2};
    CHECK_THROWS_AS(stats::bootstrap_replicates(*stats::mean_statistic(values), resampling(0)),
                    core::Error);
}
