#include "core/error.hpp"
#include "stats/classification.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace senteval;

TEST_CASE("a confusion counts gold against predicted classes")
{
    const std::array<std::uint32_t, 8> gold = {0, 0, 0, 1, 1, 1, 1, 2};
    const std::array<std::uint32_t, 8> predicted = {0, 1, 0, 1, 1, 0, 2, 2};
    const stats::Confusion confusion(gold, predicted, 3);
    CHECK(confusion.count(0, 1) == 1);
    CHECK(confusion.count(1, 0) == 1);
    CHECK(confusion.count(1, 2) == 1);
    CHECK(confusion.gold_count(1) == 4);
    CHECK(confusion.predicted_count(1) == 3);
    CHECK(confusion.correct() == 5);
    CHECK(confusion.accuracy() == 0.625);
    // 2 true positives, 1 false positive, 2 false negatives
    CHECK(confusion.f1(1) == doctest::Approx(4.0 / 7.0));
}

TEST_CASE("F1 of an absent class is zero, and the accuracy of nothing is not a number")
{
    const std::array<std::uint32_t, 2> zeros = {0, 0};
    CHECK(stats::Confusion(zeros, zeros, 2).f1(1) == 0.0);
    CHECK(std::isnan(stats::Confusion({}, {}, 2).accuracy()));
}

TEST_CASE("a confusion refuses unequal lengths and unknown classes")
{
    const std::array<std::uint32_t, 2> two = {0, 2};
    CHECK_THROWS_AS(stats::Confusion(two, std::array<std::uint32_t, 1>{0}, 3), core::Error);
    CHECK_THROWS_WITH(stats::Confusion(two, two, 2), doctest::Contains("item 1 has gold class 2"));
}
