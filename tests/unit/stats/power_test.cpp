#include "stats/counter_stream.hpp"
#include "stats/mcnemar.hpp"
#include "stats/power.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace senteval;

TEST_CASE("the detectable difference of accuracies solves its equation")
{
    // root of the equation found by scipy.optimize.brentq
    CHECK(stats::detectable_accuracy_difference(0.1, 1000) ==
          doctest::Approx(0.0279828).epsilon(1e-5));
    CHECK(stats::detectable_accuracy_difference(0.2, 500) ==
          doctest::Approx(0.0558997).epsilon(1e-5));
}

TEST_CASE("a difference of the detectable size is found by McNemar's test in 80 of 100 cases")
{
    constexpr std::size_t n = 1000;
    constexpr double discordant = 0.1;
    const double d = stats::detectable_accuracy_difference(discordant, n);
    int found = 0;
    constexpr int rounds = 4000;
    for (int round = 0; round < rounds; ++round) {
        stats::CounterStream random(5, static_cast<std::uint64_t>(round));
        std::size_t only_first = 0;
        std::size_t only_second = 0;
        for (std::size_t item = 0; item < n; ++item) {
            const double u = random.uniform();
            only_first += u < (discordant + d) / 2 ? 1U : 0U;
            only_second += u > 1 - (discordant - d) / 2 ? 1U : 0U;
        }
        found += stats::mcnemar(only_first, only_second).p_mid < 0.05 ? 1 : 0;
    }
    CHECK(static_cast<double>(found) / rounds == doctest::Approx(0.80).epsilon(0.03));
}

TEST_CASE("no difference can be found among too few items")
{
    CHECK(std::isnan(stats::detectable_accuracy_difference(0.1, 20)));
    CHECK(std::isnan(stats::detectable_accuracy_difference(0.0, 1000)));
}

TEST_CASE("detectable differences of means, by hand")
{
    // 1.959964 + 0.841621 = 2.801585
    CHECK(stats::detectable_mean_difference(2.0, 400) == doctest::Approx(0.2801585).epsilon(1e-6));
    CHECK(stats::detectable_mean_difference(2.0, 400, {0.5, 0.05}) ==
          doctest::Approx(0.1959964).epsilon(1e-6));
}
