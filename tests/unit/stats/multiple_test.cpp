#include "stats/across.hpp"
#include "stats/interval.hpp"
#include "stats/multiple.hpp"
#include "support/support.hpp"

#include <numbers>

using namespace senteval;

TEST_CASE("Holm's adjustment of four p-values")
{
    // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") is 0.03 0.06 0.06 0.02
    const auto adjusted = stats::holm(std::array<double, 4>{0.01, 0.04, 0.03, 0.005});
    CHECK(adjusted[0] == doctest::Approx(0.03));
    CHECK(adjusted[1] == doctest::Approx(0.06));
    CHECK(adjusted[2] == doctest::Approx(0.06));
    CHECK(adjusted[3] == doctest::Approx(0.02));
}

TEST_CASE("Holm's levels are met exactly where the adjusted p is below the level")
{
    const std::array<double, 4> p = {0.01, 0.04, 0.03, 0.005};
    const auto levels = stats::holm_levels(p, 0.05);
    CHECK(levels[3] == doctest::Approx(0.05 / 4));
    CHECK(levels[0] == doctest::Approx(0.05 / 3));
    CHECK(levels[2] == doctest::Approx(0.05 / 2)); // the first that is not rejected
    CHECK(levels[1] == doctest::Approx(0.05 / 2));
    CHECK(stats::holm({}).empty());
}

TEST_CASE("rows share a letter exactly where they are not different")
{
    using Row = std::vector<bool>;
    // 0 and 1 alike, 1 and 2 alike, 0 and 2 different; 3 different from all.
    const std::vector<Row> different = {
        Row{false, false, true, true}, Row{false, false, false, true},
        Row{true, false, false, true}, Row{true, true, true, false}};
    CHECK(stats::group_letters(different) == std::vector<std::string>{"a", "ab", "b", "c"});
    CHECK(stats::group_letters({Row{false}}) == std::vector<std::string>{"a"});
}

TEST_CASE("the studentised range is SciPy's")
{
    struct Case {
        std::size_t rows;
        double freedom;
        double q;
        double p;
    };
    // scipy.stats.studentized_range.sf(q, rows, freedom), SciPy 1.10
    for (const Case& one : {Case{3, 5, 4.0, 0.0797356961}, Case{3, 10, 3.5, 0.0771033108},
                            Case{8, 12.5, 4.6, 0.0878184239}, Case{20, 38, 5.0, 0.0941685343},
                            Case{20, 5, 9.0, 0.0342297787}, Case{4, 1000, 3.6, 0.0537813355}})
        CHECK(stats::studentised_range(one.rows).beyond(one.q, one.freedom) ==
              doctest::Approx(one.p).epsilon(1e-5));
    // studentized_range.ppf(.95, rows, freedom)
    CHECK(stats::studentised_range(3).quantile(0.05, 10) ==
          doctest::Approx(3.8767767501).epsilon(1e-5));
    CHECK(stats::studentised_range(8).quantile(0.05, 20) ==
          doctest::Approx(4.7675842302).epsilon(1e-5));
    CHECK(stats::studentised_range(20).quantile(0.05, 60) ==
          doctest::Approx(5.2411997928).epsilon(1e-5));
}

TEST_CASE("of two values it is Student's t, also far out and with infinite freedom")
{
    const auto& range = stats::studentised_range(2);
    const double root = std::numbers::sqrt2;
    for (const double freedom : {3.0, 30.0, 3000.0})
        for (const double t : {0.5, 2.0, 6.0, 12.0})
            CHECK(range.beyond(t * root, freedom) ==
                  doctest::Approx(stats::t_p_value(t, freedom)).epsilon(1e-5));
    const double infinite = std::numeric_limits<double>::infinity();
    CHECK(range.beyond(2 * root, infinite) ==
          doctest::Approx(stats::t_p_value(2, infinite)).epsilon(1e-4));
    CHECK(range.beyond(0, 10) == 1);
    CHECK(range.beyond(1e4, 1e5) > 0); // no p is 0
}

TEST_CASE("with infinite freedom the quantile of ten is the published 4.474")
{
    CHECK(stats::studentised_range(10).quantile(0.05, std::numeric_limits<double>::infinity()) ==
          doctest::Approx(4.474).epsilon(2e-4));
}

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

TEST_CASE("intervals of mean ranks are those of tasks that are drawn anew")
{
    std::vector<std::vector<double>> ranks(14, {1, 2, 3});
    ranks.insert(ranks.end(), 12, {2, 1, 3});
    const auto intervals = stats::mean_rank_intervals(ranks);
    REQUIRE(intervals.size() == 3);
    // The quantiles .025 and .975 of the binomial distribution of 26 draws and 12/26 are 7 and 17.
    CHECK(intervals[0].low == doctest::Approx(1 + 7 / 26.0));
    CHECK(intervals[0].high == doctest::Approx(1 + 17 / 26.0));
    CHECK(intervals[1].low == doctest::Approx(2 - 17 / 26.0));
    CHECK(intervals[2].low == 3);
    CHECK(intervals[2].high == 3);
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
