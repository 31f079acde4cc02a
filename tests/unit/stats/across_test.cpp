#include "stats/across.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

using namespace senteval;

TEST_CASE("Friedman's test of Demšar's example")
{
    // Demšar 2006, table 6: C4.5, C4.5+m, C4.5+cf, C4.5+m+cf on 14 data sets; the paper gives the mean
    // ranks 3.143, 2.000, 2.893, 1.964, F = 3.69 and CD = 1.25.
    const std::vector<std::vector<double>> scores = {
        {0.763, 0.768, 0.771, 0.798},  {0.599, 0.591, 0.590, 0.569}, {0.954, 0.971, 0.968, 0.967},
        {0.628, 0.661, 0.654, 0.657},  {0.882, 0.888, 0.886, 0.898}, {0.936, 0.931, 0.916, 0.931},
        {0.661, 0.668, 0.609, 0.685},  {0.583, 0.583, 0.563, 0.625}, {0.775, 0.838, 0.866, 0.875},
        {1.000, 1.000, 1.000, 1.000},  {0.940, 0.962, 0.965, 0.962}, {0.619, 0.666, 0.614, 0.669},
        {0.972, 0.981, 0.9751, 0.975}, {0.957, 0.978, 0.946, 0.970}};
    stats::Resampling options;
    options.resamples = 20000;
    const auto test = stats::friedman(scores, options);
    CHECK(test.mean_ranks[0] == doctest::Approx(3.143).epsilon(1e-3));
    CHECK(test.mean_ranks[1] == doctest::Approx(2.000).epsilon(1e-3));
    CHECK(test.mean_ranks[2] == doctest::Approx(2.893).epsilon(1e-3));
    CHECK(test.mean_ranks[3] == doctest::Approx(1.964).epsilon(1e-3));
    CHECK(test.f > 3.6); // 3.69 without the correction for the task of four ties
    CHECK(test.f < 4.5);
    CHECK(test.p_value < 0.03);
    CHECK(test.critical_difference == doctest::Approx(1.25).epsilon(0.01));
}

TEST_CASE("Nemenyi's critical difference is that of Demsar's table, whatever the draws")
{
    for (const auto& [rows, q] : {std::pair(2, 1.960), {5, 2.728}, {10, 3.164}}) { // table 5
        std::vector<std::vector<double>> scores(6);
        for (std::size_t task = 0; task < scores.size(); ++task)
            for (int row = 0; row < rows; ++row)
                scores[task].push_back(row * 1.5 + static_cast<double>(task));
        stats::Resampling few;
        few.resamples = 100;
        const double k = rows;
        CHECK(stats::friedman(scores, few).critical_difference ==
              doctest::Approx(q * std::sqrt(k * (k + 1) / 36)).epsilon(5e-4));
    }
}

TEST_CASE("of few tasks Friedman's p is that of random orders")
{
    stats::Resampling options;
    options.resamples = 20000;
    // Of the 216 orders of three tasks 42 have sums of squares as large; F would say .049.
    const std::vector<std::vector<double>> three = {{3, 2, 1}, {3, 2, 1}, {3, 1, 2}};
    CHECK(stats::friedman(three, options).p_value == doctest::Approx(42.0 / 216).epsilon(0.06));
    // Where all agree it is exact; equal ranks have fewer orders.
    const std::vector<std::vector<double>> same = {{3, 2, 1}, {3, 2, 1}, {3, 2, 1}};
    CHECK(stats::friedman(same, options).p_value == doctest::Approx(1.0 / 36));
    const std::vector<std::vector<double>> tied = {{3, 3, 1}, {3, 3, 1}, {3, 3, 1}};
    CHECK(stats::friedman(tied, options).p_value == doctest::Approx(1.0 / 9));
}

TEST_CASE("Wilcoxon's signed ranks, exactly")
{
    // scipy.stats.wilcoxon([1, 2, 3, 4, 5, -6], mode='exact'): 0.4375
    CHECK(stats::wilcoxon(std::vector<double>{1, 2, 3, 4, 5, -6}) == doctest::Approx(0.4375));
    CHECK(stats::wilcoxon(std::vector<double>{1, 2, 3, 4, 5, 6}) == doctest::Approx(2.0 / 64));
    CHECK(stats::wilcoxon(std::vector<double>{0, 0}) == 1);
    CHECK(stats::wilcoxon(std::vector<double>{1, -1}) == 1);
}

TEST_CASE("replicability counts the datasets that remain after Bonferroni's combination")
{
    CHECK(stats::replicability(std::vector<double>{0.001, 0.01, 0.04, 0.5}) == 2);
    CHECK(stats::replicability(std::vector<double>{0.04, 0.04, 0.04}) == 0);
    CHECK(stats::replicability(std::vector<double>{0.001, 0.001, 0.001}) == 3);
}

TEST_CASE("the Bayesian signed ranks tell better, equivalent and worse")
{
    stats::Resampling options;
    options.resamples = 2000;
    const auto better = stats::bayesian_signed_rank(std::vector<double>{3, 4, 5, 6, 4}, 1, options);
    CHECK(better.first > 0.95);
    const auto equal =
        stats::bayesian_signed_rank(std::vector<double>{.1, -.2, .3, 0, .1}, 1, options);
    CHECK(equal.equivalent > 0.95);
    const auto worse =
        stats::bayesian_signed_rank(std::vector<double>{-3, -4, -5, -6, -4}, 1, options);
    CHECK(worse.second == doctest::Approx(better.first).epsilon(0.05));
}
