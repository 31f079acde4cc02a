#include "stats/power.hpp"
#include "stats/range.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

using namespace senteval;

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
