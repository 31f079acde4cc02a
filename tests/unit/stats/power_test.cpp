#include "stats/power.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

using namespace senteval;

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

TEST_CASE("the quantile of t is the inverse of its p-value")
{
    for (const double freedom : {1.0, 4.5, 100.0, infinite})
        CHECK(stats::t_p_value(stats::t_quantile(0.03, freedom), freedom) ==
              doctest::Approx(0.03).epsilon(1e-8));
    CHECK(stats::t_p_value(2.776445, 4) == doctest::Approx(0.05).epsilon(1e-5)); // R: qt(0.975, 4)
}

TEST_CASE("of one degree of freedom at a small level the difference is far away, and is told")
{
    for (const double alpha : {1e-3, 1e-5, 1e-7}) {
        CAPTURE(alpha);
        const double found = stats::detectable_difference(1, 1, {0.8, alpha});
        CHECK(stats::power_of(found, 1, 1, alpha) == doctest::Approx(0.8).epsilon(1e-6));
        // P(chi-squared of one degree < 1.6424) = .8, and t's limit is 2 / (pi alpha).
        CHECK(found == doctest::Approx(std::sqrt(1.642374) * 2 / (M_PI * alpha)).epsilon(1e-3));
    }
    const double near = stats::power_of(999, 1, 2, 1e-6);
    CHECK(stats::power_of(1001, 1, 2, 1e-6) == doctest::Approx(near).epsilon(0.005));
}
