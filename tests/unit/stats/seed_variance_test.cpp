#include "stats/deviations.hpp"
#include "stats/power.hpp"
#include "stats/seed_variance.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace senteval;

TEST_CASE("the outermost pairs of normal scores tell their variance, and of two groups more")
{
    const auto fits = [](const std::vector<double>& scores) {
        std::vector<stats::Fit> all;
        for (const double score : scores)
            all.push_back({all.size(), score, {}});
        return all;
    };
    std::vector<double> normal;
    for (int i = 0; i < 200; ++i)
        for (const double sign : {-1.0, 1.0})
            normal.push_back(7 + sign * 3 * stats::t_quantile((i + 0.5) / 200, 1e9));
    CHECK(stats::variance_by_pairs(fits(normal)) == doctest::Approx(9).epsilon(0.02));
    std::vector<double> groups(95, 0.0);
    groups.resize(100, 1.0);
    CHECK(stats::between(fits(groups)) == doctest::Approx(0.048).epsilon(0.01));
    CHECK(stats::variance_by_pairs(fits(groups)) == doctest::Approx(0.1302).epsilon(0.001));
    CHECK(stats::variance_by_pairs(fits({1, 1})) == 0);
}
