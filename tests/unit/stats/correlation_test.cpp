#include "base/error.hpp"
#include "stats/correlation.hpp"
#include "support/support.hpp"

using namespace senteval;

TEST_CASE("Pearson's correlation of a small sample, by hand")
{
    // means 3 and 4; sums of squares 10 and 30; sum of products 16
    const std::array<double, 5> x = {1, 2, 3, 4, 5};
    const std::array<double, 5> y = {2, 1, 4, 5, 8};
    const auto result = stats::pearson(x, y);
    CHECK(result.r == doctest::Approx(16.0 / std::sqrt(10.0 * 30.0)).epsilon(1e-12));
    // t = 4.1312 with 3 degrees of freedom
    CHECK(result.p_value == doctest::Approx(0.0257).epsilon(1e-3));
}

TEST_CASE("Spearman's correlation averages tied ranks")
{
    const std::array<double, 4> x = {10, 20, 20, 30};
    CHECK(stats::ranks(x) == std::vector<double>{1, 2.5, 2.5, 4});
    const std::array<double, 4> y = {1, 3, 2, 4};
    // ranks (1, 2.5, 2.5, 4) and (1, 3, 2, 4): 4.5 / sqrt(4.5 * 5)
    CHECK(stats::spearman(x, y).r == doctest::Approx(4.5 / std::sqrt(4.5 * 5.0)).epsilon(1e-12));
}

TEST_CASE("a correlation with a constant is not a number, and unequal lengths are refused")
{
    const std::array<double, 3> constant = {0.1, 0.1, 0.1};
    const std::array<double, 3> x = {1, 2, 3};
    CHECK(std::isnan(stats::pearson(constant, x).r));
    CHECK(std::isnan(stats::spearman(x, constant).p_value));
    CHECK_THROWS_AS(stats::pearson(x, std::array<double, 2>{1, 2}), base::Error);
}

TEST_CASE("a perfect correlation has p-value zero and a weighted mean its weights")
{
    const std::array<double, 3> x = {1, 2, 3};
    CHECK(stats::pearson(x, x).r == 1.0);
    CHECK(stats::pearson(x, x).p_value == 0.0);
    CHECK(stats::weighted_mean(x, std::array<double, 3>{1, 1, 2}) == doctest::Approx(2.25));
}

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
    CHECK_THROWS_AS(stats::task_correlation(ragged), base::Error);
}
