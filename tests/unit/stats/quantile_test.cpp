#include "core/error.hpp"
#include "stats/quantile.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace senteval;

TEST_CASE("quantiles are interpolated as NumPy does by default")
{
    const std::array<double, 5> values = {16, 1, 8, 2, 4};
    CHECK(stats::quantile(values, 0.0) == 1);
    CHECK(stats::quantile(values, 0.1) == doctest::Approx(1.4));
    CHECK(stats::quantile(values, 0.5) == 4);
    CHECK(stats::quantile(values, 0.9) == doctest::Approx(12.8));
    CHECK(stats::quantile(values, 1.0) == 16);
}

TEST_CASE("a quantile of nothing is not a number, and probabilities are checked")
{
    CHECK(std::isnan(stats::quantile({}, 0.5)));
    CHECK_THROWS_AS(stats::quantile(std::array<double, 1>{1}, 1.1), core::Error);
    CHECK_THROWS_AS(stats::quantile(std::array<double, 1>{1}, std::nan("")), core::Error);
}

TEST_CASE("a summary has the standard deviation with n - 1")
{
    const auto summary = stats::summarise(std::array<double, 4>{2, 4, 4, 6});
    CHECK(summary.n == 4);
    CHECK(summary.mean == 4);
    CHECK(summary.sd == doctest::Approx(std::sqrt(8.0 / 3.0)));
    CHECK(summary.min == 2);
    CHECK(summary.max == 6);
    CHECK(std::isnan(stats::summarise(std::array<double, 1>{2}).sd));
    CHECK(std::isnan(stats::summarise({}).mean));
}
