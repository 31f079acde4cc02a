#include "core/error.hpp"
#include "stats/interval.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <doctest/doctest.h>

#include <cmath>

using namespace senteval;

TEST_CASE("Wilson's interval of 81 out of 263")
{
    // Newcombe 1998 (Statistics in Medicine 17, table I): 0.2553 to 0.3662
    const auto interval = stats::wilson(81, 263);
    CHECK(interval.low == doctest::Approx(0.2552885).epsilon(1e-6));
    CHECK(interval.high == doctest::Approx(0.3662096).epsilon(1e-6));
}

TEST_CASE("Wilson's interval stays inside 0 and 1 and keeps a width there")
{
    const auto none = stats::wilson(0, 20); // Newcombe 1998: 0 to 0.1611
    CHECK(none.low == 0.0);
    CHECK(none.high == doctest::Approx(0.1611252).epsilon(1e-6));
    const auto all = stats::wilson(20, 20);
    CHECK(all.low == doctest::Approx(1 - none.high));
    CHECK(all.high == 1.0);
    CHECK(std::isnan(stats::wilson(0, 0).low));
}

TEST_CASE("a confidence level outside 0 and 1 is refused")
{
    CHECK(stats::normal_quantile_two_sided(0.95) == doctest::Approx(1.959964).epsilon(1e-6));
    CHECK_THROWS_AS(stats::wilson(1, 2, 1.0), core::Error);
    CHECK_THROWS_AS(stats::wilson(1, 2, 0.0), core::Error);
}

TEST_CASE("Wilson's interval covers the true proportion in 94 to 96 of 100 cases, on average")
{
    constexpr std::size_t n = 100;
    double sum = 0;
    std::size_t cases = 0;
    for (double p = 0.05; p < 0.951; p += 0.01, ++cases) {
        const boost::math::binomial distribution(n, p);
        for (std::size_t k = 0; k <= n; ++k) {
            const auto interval = stats::wilson(k, n);
            if (interval.low <= p && p <= interval.high)
                sum += boost::math::pdf(distribution, static_cast<double>(k));
        }
    }
    const double coverage = sum / static_cast<double>(cases);
    CHECK(coverage > 0.94);
    CHECK(coverage < 0.96);
}
