#include "stats/interval.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <doctest/doctest.h>

#include <cstddef>

using namespace senteval;

namespace {

/// Of a proportion of independent items, at 95 %.
stats::Interval wilson(std::size_t successes, std::size_t n)
{
    const auto count = static_cast<double>(n);
    const double p = static_cast<double>(successes) / count;
    return stats::wilson_of(p, p * (1 - p) / count, count, 1.959963985);
}

} // namespace

TEST_CASE("Wilson's interval of 81 out of 263")
{
    // Newcombe 1998 (Statistics in Medicine 17, table I): 0.2553 to 0.3662
    const auto interval = wilson(81, 263);
    CHECK(interval.low == doctest::Approx(0.2552885).epsilon(1e-6));
    CHECK(interval.high == doctest::Approx(0.3662096).epsilon(1e-6));
}

TEST_CASE("Wilson's interval stays inside 0 and 1 and keeps a width there")
{
    const auto none = wilson(0, 20); // Newcombe 1998: 0 to 0.1611
    CHECK(none.low == 0.0);
    CHECK(none.high == doctest::Approx(0.1611252).epsilon(1e-6));
    const auto all = wilson(20, 20);
    CHECK(all.low == doctest::Approx(1 - none.high));
    CHECK(all.high == 1.0);
}

TEST_CASE("Wilson's interval covers the true proportion in 94 to 96 of 100 cases, on average")
{
    constexpr std::size_t n = 100;
    double sum = 0;
    std::size_t cases = 0;
    for (double p = 0.05; p < 0.951; p += 0.01, ++cases) {
        const boost::math::binomial distribution(n, p);
        for (std::size_t k = 0; k <= n; ++k) {
            const auto interval = wilson(k, n);
            if (interval.low <= p && p <= interval.high)
                sum += boost::math::pdf(distribution, static_cast<double>(k));
        }
    }
    const double coverage = sum / static_cast<double>(cases);
    CHECK(coverage > 0.94);
    CHECK(coverage < 0.96);
}
