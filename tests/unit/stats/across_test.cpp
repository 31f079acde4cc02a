#include "stats/across.hpp"

#include <doctest/doctest.h>

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
    const auto test = stats::friedman(scores);
    CHECK(test.mean_ranks[0] == doctest::Approx(3.143).epsilon(1e-3));
    CHECK(test.mean_ranks[1] == doctest::Approx(2.000).epsilon(1e-3));
    CHECK(test.mean_ranks[2] == doctest::Approx(2.893).epsilon(1e-3));
    CHECK(test.mean_ranks[3] == doctest::Approx(1.964).epsilon(1e-3));
    // scipy.stats.friedmanchisquare of the columns, which corrects for ties
    CHECK(test.chi_squared == doctest::Approx(10.228346456692925).epsilon(1e-6));
    CHECK(test.p_value == doctest::Approx(0.016721580328441323).epsilon(1e-5));
}

TEST_CASE("Friedman's test of rows that are tied everywhere finds nothing")
{
    const std::vector<std::vector<double>> tied = {{1, 1, 1}, {2, 2, 2}};
    CHECK(stats::friedman(tied).p_value == 1);
}

TEST_CASE("Wilcoxon's signed ranks, exactly")
{
    // scipy.stats.wilcoxon([1, 2, 3, 4, 5, -6], mode='exact'): 0.4375
    CHECK(stats::wilcoxon(std::vector<double>{1, 2, 3, 4, 5, -6}) == doctest::Approx(0.4375));
    CHECK(stats::wilcoxon(std::vector<double>{1, 2, 3, 4, 5, 6}) == doctest::Approx(2.0 / 64));
    CHECK(stats::wilcoxon(std::vector<double>{0, 0}) == 1);
    CHECK(stats::wilcoxon(std::vector<double>{1, -1}) == 1);
}
