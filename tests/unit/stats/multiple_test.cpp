#include "stats/multiple.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

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
