#include "stats/williams.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace senteval;

TEST_CASE("Williams' test of Steiger's example")
{
    // Case A of Steiger 1980 as in the manual of R's psych::r.test(103, .4, .5, .1): t = -0.89
    const auto test = stats::williams(0.4, 0.5, 0.1, 103);
    CHECK(test.t == doctest::Approx(-0.8912799).epsilon(1e-6));
    CHECK(test.p_value == doctest::Approx(0.3749185).epsilon(1e-6));
    CHECK(stats::williams(0.5, 0.4, 0.1, 103).t == doctest::Approx(0.8912799).epsilon(1e-6));
}

TEST_CASE("Williams' test of two close systems on a benchmark")
{
    const auto test = stats::williams(0.83, 0.80, 0.9, 1379); // the formula in Python
    CHECK(test.t == doctest::Approx(4.5578785).epsilon(1e-6));
    CHECK(test.p_value == doctest::Approx(5.6256729e-06).epsilon(1e-4));
}

TEST_CASE("Williams' test is not defined for the same predictions or too few items")
{
    CHECK(std::isnan(stats::williams(0.5, 0.5, 1.0, 100).p_value));
    CHECK(std::isnan(stats::williams(0.5, 0.4, 0.3, 3).p_value));
    CHECK(std::isnan(stats::williams(std::nan(""), 0.4, 0.3, 100).t));
}
