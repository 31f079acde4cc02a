#include "stats/max_t.hpp"
#include "stats/power.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

using namespace senteval;

namespace {

stats::SmallestP all_pairs(std::size_t rows, std::size_t draws = 20000)
{
    std::vector<double> identity(rows * rows);
    std::vector<stats::Pair> pairs;
    for (std::uint32_t a = 0; a < rows; ++a) {
        identity[a * rows + a] = 1;
        for (std::uint32_t b = a + 1; b < rows; ++b)
            pairs.push_back({a, b});
    }
    stats::Resampling options;
    options.resamples = draws;
    return {identity, rows, pairs, options};
}

} // namespace

TEST_CASE("over all pairs of independent scores it is Tukey's studentised range")
{
    const double infinite = std::numeric_limits<double>::infinity();
    // R: qtukey(0.95, k, Inf) / sqrt(2) = 2.3437 (3), 3.1653... (10)
    CHECK(stats::t_quantile(all_pairs(3).single(0.05), infinite) ==
          doctest::Approx(2.3437).epsilon(0.01));
    CHECK(stats::t_quantile(all_pairs(10).single(0.05), infinite) ==
          doctest::Approx(3.1640).epsilon(0.01));
}

TEST_CASE("p-values and levels agree, and p is never 0")
{
    const auto smallest = all_pairs(5, 2000);
    const double level = smallest.single(0.05);
    CHECK(smallest.adjusted(level) <= 0.05);
    CHECK(smallest.adjusted(level * 1.1) > 0.05);
    CHECK(smallest.adjusted(1e-12) == doctest::Approx(10 * 1e-12)); // Bonferroni beyond the draws
    CHECK(smallest.adjusted(0.9) >= 0.9);
    CHECK(smallest.adjusted(0.001, 10) > smallest.adjusted(0.001));
    CHECK(smallest.single(0.05, 10) < level);
}

TEST_CASE("a comparison alone is not adjusted")
{
    CHECK(all_pairs(2).adjusted(0.03) == doctest::Approx(0.03));
    CHECK(all_pairs(2).single(0.05) == 0.05);
}

TEST_CASE("of comparisons that hang together in no known way it is Bonferroni's bound")
{
    const stats::SmallestP smallest(10);
    CHECK(smallest.adjusted(0.001) == doctest::Approx(0.01));
    CHECK(smallest.adjusted(0.5) == 1);
    CHECK(smallest.single(0.05) == doctest::Approx(0.005));
    CHECK(smallest.adjusted(0.001, 2) == doctest::Approx(1 - 0.99 * 0.99));
    CHECK(stats::SmallestP(1).adjusted(0.03) == doctest::Approx(0.03));
    CHECK(stats::SmallestP(0).single(0.05) == 0.05);
}
