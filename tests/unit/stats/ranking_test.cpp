#include "core/error.hpp"
#include "stats/ranking.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

using namespace senteval;

TEST_CASE("tasks correlate over the encoders they share")
{
    const double nan = std::nan("");
    const std::array<std::vector<double>, 3> values = {
        {{1, 2, 3, 4}, {10, 20, 40, 30}, {4, 3, nan, nan}}};
    const auto matrix = stats::task_correlation(values);
    CHECK(matrix.at(0, 0) == doctest::Approx(1));
    CHECK(matrix.at(0, 1) == doctest::Approx(0.8)); // 1 - 6 * 2 / (4 * 15)
    CHECK(matrix.at(1, 0) == matrix.at(0, 1));
    CHECK(matrix.count(0, 1) == 4);
    CHECK(matrix.count(0, 2) == 2);
    CHECK(std::isnan(matrix.at(0, 2)));
    const std::array<std::vector<double>, 2> ragged = {{{1, 2, 3}, {1}}};
    CHECK_THROWS_AS(stats::task_correlation(ragged), core::Error);
}
