#include "stats/counter_stream.hpp"
#include "stats/signs.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace senteval;

TEST_CASE("all patterns of signs of few differences are tried, those as far counting half")
{
    // 14 of the 2^9 patterns have a sum at least as large, 2 of them the very same (enumerated in Python).
    const std::array<double, 9> differences = {0.952, -0.147, 1.022, 0.43, 0.62,
                                               0.59,  0.49,   -0.08, 0.01};
    CHECK(stats::sign_flip_p_value(differences) == 13.0 / 512);
    CHECK(stats::sign_flip_p_value({}) == 1);
    CHECK(stats::sign_flip_p_value(std::array<double, 3>{0, 0, 0}) == 1);
    CHECK(stats::sign_flip_p_value(std::array<double, 2>{1, -1}) == 1);
}

TEST_CASE("where all differences are of one size it is the sign test's mid-p")
{
    const boost::math::binomial distribution(100, 0.5);
    for (const int fewer : {20, 30, 35, 40, 45}) {
        CAPTURE(fewer);
        std::vector<double> differences(100, 1.0);
        std::fill_n(differences.begin(), fewer, -1.0);
        differences.resize(180); // zeros tell nothing
        const double exact =
            2 * boost::math::cdf(distribution, fewer) - boost::math::pdf(distribution, fewer);
        CHECK(stats::sign_flip_p_value(differences) == doctest::Approx(exact).epsilon(1e-9));
    }
}

TEST_CASE(
    "sums on a grid are counted, those that lie densely are not, and the two agree where both can")
{
    // Items that hang together count twice or three times; of two seeds half an answer is the least.
    std::vector<double> on_grid(30, 0.5);
    std::vector<double> off_grid(30);
    for (std::size_t item = 0; item < on_grid.size(); ++item) {
        on_grid[item] *= static_cast<double>(1 + item % 3) * (item % 4 == 0 ? -1 : 1);
        off_grid[item] = on_grid[item] * (1 + 1e-4 * std::sin(static_cast<double>(7 * item)));
    }
    const double p = stats::sign_flip_p_value(on_grid);
    CHECK(p == doctest::Approx(0.0101991538).epsilon(1e-8)); // convolved in Python
    CHECK(stats::sign_flip_p_value(off_grid) == doctest::Approx(p).epsilon(0.05));
}

TEST_CASE("p falls as far as the signs can tell")
{
    const std::vector<double> same(60, 0.1);
    CHECK(stats::sign_flip_p_value(same) == doctest::Approx(std::exp2(-60)));
    std::vector<double> nearly = same;
    nearly[0] = -0.1;
    const double p = stats::sign_flip_p_value(nearly);
    CHECK(p > std::exp2(-60));
    CHECK(p < 200 * std::exp2(-60)); // 2 x (1 + 60 / 2) patterns of 2^60
}

TEST_CASE("the interval of random signs excludes 0 exactly where p is below the level")
{
    for (std::uint64_t draw = 0; draw < 60; ++draw) {
        stats::CounterStream random(5, draw);
        std::vector<double> differences(30);
        for (double& value : differences)
            value = (random.normal() + 0.02 * static_cast<double>(draw)) / 30;
        const auto interval = stats::sign_flip_interval(differences, 0.05);
        const bool excludes = interval.low > 0 || interval.high < 0;
        CHECK(excludes == (stats::sign_flip_p_value(differences) <= 0.05));
        double sum = 0;
        double squares = 0;
        for (const double value : differences) {
            sum += value;
            squares += value * value;
        }
        CHECK(interval.low < sum);
        CHECK(interval.high > sum);
        // About as wide as Student's.
        const double error = std::sqrt(30.0 / 29 * (squares - sum * sum / 30));
        CHECK(interval.high - interval.low == doctest::Approx(2 * 2.045 * error).epsilon(0.1));
    }
}

TEST_CASE("an interval at a level that no pattern reaches has no ends")
{
    const auto interval = stats::sign_flip_interval(std::vector<double>{1, 2, 3, 1.5}, 0.001);
    CHECK(std::isinf(interval.low));
    CHECK(std::isinf(interval.high));
}
