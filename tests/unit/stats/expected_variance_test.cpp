#include "stats/expected_variance.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace senteval;

TEST_CASE("a further variance is expected as far off as variances differ, and as their mean is")
{
    const std::vector<double> freedom(6, 30.0);
    const std::vector<double> apart{0.1, 0.3, 1, 2, 5, 9};
    const double spread = stats::log_spread(apart, freedom);
    CHECK(spread > 2);
    CHECK(spread < 4);
    CHECK(stats::log_spread(std::vector<double>(6, 2.0), freedom) == 0);
    const auto expected = stats::expected_variance(apart, freedom, spread);
    CHECK(expected.freedom > 0.5);
    CHECK(expected.freedom < 1.5); // trigamma(freedom / 2) is the spread and what their mean is off
    const auto alike = stats::expected_variance(std::vector<double>(6, 2.0), freedom, 0);
    CHECK(alike.freedom == doctest::Approx(6 * 30).epsilon(0.05)); // as one of all their freedom
    CHECK(alike.variance == doctest::Approx(2).epsilon(0.05));
}
