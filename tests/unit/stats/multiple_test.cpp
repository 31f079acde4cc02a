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
