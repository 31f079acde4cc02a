#include "stats/interval.hpp"
#include "support/support.hpp"

#include <cmath>

#include <boost/math/distributions/binomial.hpp>

#include <initializer_list>

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

constexpr double infinite = std::numeric_limits<double>::infinity();

TEST_CASE("the power of Student's t test is that of the noncentral t distribution")
{
    // scipy.stats: nct.sf(t.ppf(0.975, 8), 8, 2) + nct.cdf(-t.ppf(0.975, 8), 8, 2)
    CHECK(stats::power_of(2, 1, 8, 0.05) == doctest::Approx(0.4210519).epsilon(1e-5));
    CHECK(stats::power_of(0, 1, 8, 0.05) == doctest::Approx(0.05).epsilon(1e-6));
    CHECK(stats::power_of(-2, 1, 8, 0.05) == stats::power_of(2, 1, 8, 0.05));
}

TEST_CASE("detectable differences of means, by hand")
{
    // 1.959964 + 0.841621 = 2.801585, but for the share of the far tail
    CHECK(stats::detectable_difference(0.1, infinite) == doctest::Approx(0.2801585).epsilon(1e-4));
    CHECK(stats::power_of(stats::detectable_difference(0.1, 4), 0.1, 4, 0.05) ==
          doctest::Approx(0.80).epsilon(1e-6));
    CHECK(stats::detectable_difference(0.1, 4, {.power = 0.8, .alpha = 0.01}) >
          stats::detectable_difference(0.1, 4));
    CHECK(std::isnan(stats::detectable_difference(std::nan(""), 4)));
    CHECK(stats::detectable_difference(0, 4) == 0);
}

TEST_CASE("of one degree of freedom at a small level the difference is far away, and is told")
{
    const double found = stats::detectable_difference(1, 1, {0.8, 1e-7});
    CHECK(stats::power_of(found, 1, 1, 1e-7) == doctest::Approx(0.8).epsilon(1e-6));
    const double near = stats::power_of(999, 1, 2, 1e-6);
    CHECK(stats::power_of(1001, 1, 2, 1e-6) == doctest::Approx(near).epsilon(0.005));
}

TEST_CASE("the quantile of t is the inverse of its p-value")
{
    for (const double freedom : {1.0, 4.5, 100.0, infinite})
        CHECK(stats::t_p_value(stats::t_quantile(0.03, freedom), freedom) ==
              doctest::Approx(0.03).epsilon(1e-8));
    CHECK(stats::t_p_value(2.776445, 4) == doctest::Approx(0.05).epsilon(1e-5)); // R: qt(0.975, 4)
}

TEST_CASE("without degrees of freedom nothing is known, and nothing is thrown")
{
    CHECK(std::isnan(stats::t_quantile(0.05, 0)));
    CHECK(std::isnan(stats::t_p_value(2, 0)));
    CHECK(std::isnan(stats::t_p_value(2, std::nan(""))));
}
