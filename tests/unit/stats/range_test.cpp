#include "stats/range.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace senteval;

TEST_CASE("the range of normal values")
{
    // R: ptukey(q, k, Inf, lower.tail = FALSE)
    CHECK(stats::NormalRange(3).beyond(3.314493) == doctest::Approx(0.05).epsilon(1e-5));
    CHECK(stats::NormalRange(10).beyond(4.474124) == doctest::Approx(0.05).epsilon(1e-5));
    CHECK(stats::NormalRange(5).beyond(0) == doctest::Approx(1));
    for (const double q : {0.5, 2.0, 6.0, 20.0}) // of two it is a normal value's, of both sides
        CHECK(stats::NormalRange(2).beyond(q) == doctest::Approx(std::erfc(q / 2)).epsilon(1e-8));
}

TEST_CASE("far out the range is as rare as Bonferroni's bound says, and never 0")
{
    const double q = 12;
    const double bound = 10 * std::erfc(q / 2); // pairs of 5
    CHECK(stats::NormalRange(5).beyond(q) == doctest::Approx(bound).epsilon(1e-3));
    CHECK(stats::NormalRange(5).beyond(q) <= bound);
    CHECK(stats::NormalRange(20).beyond(30) > 0);
}
