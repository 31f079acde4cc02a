// What few seeds tell where nothing else is known of them.
#include "stats/counter_stream.hpp"
#include "stats/crossed.hpp"
#include "stats/power.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace senteval;

namespace {

/// Rows of `seeds` seeds whose scores have the standard deviation `by_seed`, and by items 0.1.
std::vector<stats::Scored> rows_of(std::size_t count, std::size_t seeds, double by_seed)
{
    stats::CounterStream random(7, seeds);
    std::vector<stats::Scored> rows(count);
    for (stats::Scored& row : rows) {
        std::vector<double> items(200);
        for (double& value : items)
            value = 0.1 * random.normal() / std::sqrt(200.0);
        for (std::size_t seed = 0; seed < seeds; ++seed)
            row.fits.push_back({seed, by_seed * random.normal(), items});
    }
    return rows;
}

} // namespace

TEST_CASE("few seeds are gone by where they are few, and most of what differences vary by")
{
    const auto goes = [](std::size_t seeds, double by_seed) {
        return stats::Crossed(rows_of(4, seeds, by_seed), {}, false).goes_by_few_seeds();
    };
    CHECK(goes(3, 1));
    CHECK(goes(2, 1));
    CHECK_FALSE(goes(5, 1));
    CHECK_FALSE(goes(3, 0.01));
    auto rows = rows_of(4, 3, 1);
    const auto many = rows_of(20, 10, 1);
    rows.insert(rows.end(), many.begin(), many.end());
    CHECK(stats::Crossed(rows, {}, false).goes_by_few_seeds()); // by those of four of the rows
}

TEST_CASE("few seeds are gone by although what they add is known")
{
    const auto goes = [](std::size_t seeds, double variance) {
        auto known = rows_of(4, seeds, 1);
        for (stats::Scored& row : known)
            row.by_seed = stats::SeedVariance{variance, variance, 100};
        return stats::Crossed(known, {}, false).goes_by_few_seeds();
    };
    CHECK(goes(1, 1));
    CHECK(goes(3, 1));
    CHECK_FALSE(goes(1, 0.0001));
}

TEST_CASE(
    "p below 5 % goes by fewer degrees of freedom than Welch's where seeds and items both count")
{
    const stats::Crossed crossed(rows_of(2, 3, 0.1), {}, false);
    const stats::Spread spread = crossed.of_difference(0, 1);
    REQUIRE(spread.middle);
    CHECK(spread.freedom < spread.middle->freedom);
    const double limit =
        spread.middle->standard_error * stats::t_quantile(0.05, spread.middle->freedom);
    CHECK(spread.standard_error * stats::t_quantile(0.05, spread.freedom) ==
          doctest::Approx(limit));
    CHECK(spread.p_value(2 * limit) >
          stats::t_p_value(2 * limit / spread.middle->standard_error, spread.middle->freedom));
}

TEST_CASE("a row does not change what is known of the others")
{
    auto rows = rows_of(3, 5, 1);
    const double alone =
        stats::Crossed({rows.data(), 2}, {}, false).of_difference(0, 1).standard_error;
    for (stats::Fit& fit : rows[2].fits)
        fit.value *= 30;
    CHECK(stats::Crossed(rows, {}, false).of_difference(0, 1).standard_error == alone);
}
