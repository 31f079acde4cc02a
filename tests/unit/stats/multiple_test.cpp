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

TEST_CASE("false discovery rate as Benjamini and Hochberg have it")
{
    // R: p.adjust(c(0.01, 0.02, 0.03, 0.5), "BH") = 0.04 0.04 0.04 0.5
    const std::vector<double> p = {0.01, 0.02, 0.03, 0.5};
    CHECK(stats::false_discovery_rate(p, 0.01) == doctest::Approx(0.04));
    CHECK(stats::false_discovery_rate(p, 0.03) == doctest::Approx(0.04));
    CHECK(stats::false_discovery_rate(p, 0.5) == doctest::Approx(0.5));
    // The same p, of sums in another order, is no larger one.
    CHECK(stats::false_discovery_rate(p, 0.03 * (1 + 1e-15)) == doctest::Approx(0.04));
    CHECK(stats::selected_level(p, 0.05) == doctest::Approx(0.05 * 3 / 4));
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
