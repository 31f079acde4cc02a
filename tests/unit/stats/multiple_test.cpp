#include "core/error.hpp"
#include "stats/multiple.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

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

TEST_CASE("Holm's adjustment leaves missing comparisons out and ends at one")
{
    const auto adjusted = stats::holm(std::array<double, 3>{std::nan(""), 0.6, 0.7});
    CHECK(std::isnan(adjusted[0]));
    CHECK(adjusted[1] == 1.0);
    CHECK(adjusted[2] == 1.0);
    CHECK(stats::holm({}).empty());
}

TEST_CASE("tied with the best are the best and what no test tells from it")
{
    const double nan = std::nan("");
    const std::array<double, 5> values = {0.80, 0.85, nan, 0.84, 0.85};
    const std::array<double, 5> p = {0.01, nan, 0.9, 0.20, nan};
    CHECK(stats::tied_with_best(values, p) == std::vector<bool>{false, true, false, true, true});
    CHECK(stats::tied_with_best(values, p, 0.005)[0]);
    CHECK_THROWS_AS(stats::tied_with_best(values, std::array<double, 1>{1}), core::Error);
}
