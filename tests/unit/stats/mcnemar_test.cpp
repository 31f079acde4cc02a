#include "core/error.hpp"
#include "stats/mcnemar.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace senteval;

TEST_CASE("McNemar's test of the airway data")
{
    // Bentur et al. in Fagerland, Lydersen & Laake 2013, table 6: mid-p 0.039
    const auto test = stats::mcnemar(1, 7);
    CHECK(test.p_mid == doctest::Approx(10.0 / 256));
    CHECK(stats::mcnemar(7, 1).p_mid == test.p_mid);
}

TEST_CASE("McNemar's test of 5 against 15")
{
    CHECK(stats::mcnemar(5, 15).p_mid == doctest::Approx(0.0266037).epsilon(1e-5));
}

TEST_CASE("McNemar's test without a difference")
{
    CHECK(stats::mcnemar(0, 0).p_mid == 1);
    CHECK(stats::mcnemar(4, 4).p_mid == doctest::Approx(1 - 70.0 / 256 / 2));
}

TEST_CASE("McNemar's test counts the items that one classifier alone gets right")
{
    const std::array<char, 6> first = {1, 1, 1, 0, 0, 1};
    const std::array<char, 6> second = {1, 0, 0, 1, 0, 1};
    const auto test = stats::mcnemar(first, second);
    CHECK(test.only_first == 2);
    CHECK(test.only_second == 1);
    CHECK_THROWS_AS(stats::mcnemar(first, std::array<char, 1>{1}), core::Error);
}
