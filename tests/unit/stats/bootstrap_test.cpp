#include "core/error.hpp"
#include "stats/bootstrap.hpp"
#include "stats/counter_stream.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
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

TEST_CASE("BCa of the law school correlation")
{
    const auto estimate =
        stats::bootstrap(*stats::pearson_statistic(lsat, gpa), resampling(100000));
    CHECK(estimate.value == doctest::Approx(0.7763745).epsilon(1e-6));
    // SciPy 1.10, scipy.stats.bootstrap(method="BCa") with 200 000 resamples
    CHECK(estimate.interval.low == doctest::Approx(0.336).epsilon(0.03));
    CHECK(estimate.interval.high == doctest::Approx(0.942).epsilon(0.005));
    CHECK(estimate.standard_error == doctest::Approx(0.1334).epsilon(0.02));
}

TEST_CASE("BCa of a mean is shifted by its acceleration")
{
    // The spatial test data (Efron & Tibshirani 1993, table 14.1)
    const std::vector<double> values = {48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6,
                                        0,  33, 28, 34, 4,  32, 24, 47, 41, 24, 26, 30, 41};
    const auto estimate = stats::bootstrap(*stats::mean_statistic(values), resampling(100000));
    CHECK(estimate.interval.low == doctest::Approx(24.154).epsilon(0.003)); // SciPy, as above
    CHECK(estimate.interval.high == doctest::Approx(34.269).epsilon(0.003));
    CHECK(estimate.standard_error == doctest::Approx(2.573).epsilon(0.01));
}

TEST_CASE("resampling gives the same bits on any number of threads, and others for another seed")
{
    const auto statistic = stats::spearman_statistic(lsat, gpa);
    auto options = resampling(1001, 1);
    const auto one = stats::bootstrap_replicates(*statistic, options);
    options.threads = 3;
    CHECK(stats::bootstrap_replicates(*statistic, options) == one);
    CHECK(stats::sign_flip_p_value(gpa, resampling(100, 1)) ==
          stats::sign_flip_p_value(gpa, resampling(100, 3)));
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

TEST_CASE("an interval of nothing that varies is a point, and of nothing defined not a number")
{
    const auto same =
        stats::bootstrap(*stats::mean_statistic(std::array<double, 3>{1, 1, 1}), resampling(100));
    CHECK(same.interval.low == 1);
    CHECK(same.interval.high == 1);
    const std::array<double, 3> constant = {2, 2, 2};
    const auto undefined = stats::bootstrap(
        *stats::pearson_statistic(constant, std::array<double, 3>{1, 2, 3}), resampling(100));
    CHECK(std::isnan(undefined.value));
    CHECK(std::isnan(undefined.interval.low));
    CHECK_THROWS_AS(stats::bootstrap(*stats::mean_statistic(constant), resampling(0)), core::Error);
}

TEST_CASE("the paired bootstrap finds a clear difference and no false one")
{
    const auto test = [](double shift) {
        std::vector<double> differences;
        stats::CounterStream random(3, 0);
        for (int i = 0; i < 200; ++i)
            differences.push_back(shift + random.normal());
        return stats::paired_bootstrap(*stats::mean_statistic(differences), resampling(2000));
    };
    const auto clear = test(0.5);
    CHECK(clear.p_value == doctest::Approx(1.0 / 2001));
    CHECK(clear.interval.low > 0.2);
    CHECK(clear.interval.high < 0.8);
    CHECK(test(0).p_value > 0.05);
    const auto same =
        stats::difference(stats::pearson_statistic(lsat, gpa), stats::pearson_statistic(lsat, gpa));
    CHECK(stats::paired_bootstrap(*same, resampling(100)).p_value == 1.0);
    const std::vector<double> constant(gpa.size(), 1.0);
    const auto undefined = stats::difference(stats::pearson_statistic(lsat, gpa),
                                             stats::pearson_statistic(lsat, constant));
    CHECK(std::isnan(stats::paired_bootstrap(*undefined, resampling(100)).p_value));
}

TEST_CASE("sign flips of few differences are all tried")
{
    // 14 of the 2^9 sign patterns have a sum at least as large (enumerated in Python)
    const std::array<double, 9> differences = {0.952, -0.147, 1.022, 0.43, 0.62,
                                               0.59,  0.49,   -0.08, 0.01};
    CHECK(stats::sign_flip_p_value(differences, resampling(1000)) == 14.0 / 512);
    // the same by chance, where 512 are too many
    const double p = stats::sign_flip_p_value(differences, resampling(511));
    CHECK(p == doctest::Approx(14.0 / 512).epsilon(0.5));
}

TEST_CASE("sign flips agree with the sign test where all differences are of one size")
{
    std::vector<double> differences(100, 1.0);
    std::fill_n(differences.begin(), 40, -1.0);
    differences.resize(200); // zeros tell nothing
    // P(|X - 50| >= 10) for X ~ Binomial(100, 1/2) is 0.05689
    CHECK(stats::sign_flip_p_value(differences, resampling(100000)) ==
          doctest::Approx(0.05689).epsilon(0.05));
    CHECK(stats::sign_flip_p_value({}, resampling(10)) == 1.0);
}
