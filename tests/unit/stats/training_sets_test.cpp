// What halves of the training part add to a difference.
#include "fits.hpp"
#include "stats/counter_stream.hpp"
#include "stats/crossed.hpp"
#include "stats/power.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace senteval;
using stats::Population;
using test::fit_of;
using test::moved;
using test::normal_values;

TEST_CASE("halves of the training part widen the population, and the interval")
{
    std::vector<stats::Scored> rows(2);
    stats::CounterStream random(1, 1);
    for (std::size_t row = 0; row < 2; ++row) {
        const auto values = [&](double level) {
            std::vector<double> all(100);
            for (double& value : all)
                value = level + random.normal();
            return all;
        };
        for (std::uint64_t seed = 1; seed <= 2; ++seed)
            rows[row].fits.push_back(fit_of(seed, values(0)));
        for (std::uint64_t half = 1; half <= 5; ++half)
            rows[row].resampled.push_back(fit_of(half, values(random.normal())));
    }
    const auto spread = stats::Crossed(rows, {}, false).of_difference(0, 1);
    CHECK(spread.population == Population::training);
    CHECK(spread.freedom < 10);
    const auto by_seeds = stats::Crossed(rows, {}, false, Population::seeds).of_difference(0, 1);
    CHECK(by_seeds.population == Population::seeds);
    CHECK(by_seeds.standard_error < 0.5 * spread.standard_error);
}

TEST_CASE("too few halves tell nothing of training sets, and no halves make an interval narrower")
{
    std::vector<stats::Scored> rows(2);
    stats::CounterStream random(2, 1);
    for (std::size_t row = 0; row < 2; ++row) {
        const std::vector<double> items = normal_values(random, 100);
        rows[row].fits.push_back(fit_of(1, moved(items, 0)));
        rows[row].by_seed = stats::SeedVariance{0.5, 0.5, 59};
        for (std::uint64_t half = 1; half <= 4; ++half) // that are all the same
            rows[row].resampled.push_back(fit_of(half, moved(items, 0)));
    }
    CHECK(stats::Crossed(rows, {}, false).of_difference(0, 1).population == Population::seeds);
    for (stats::Scored& row : rows)
        row.resampled.push_back(fit_of(5, row.resampled.front().influence));
    const auto interval = [&](Population widest) {
        const auto spread = stats::Crossed(rows, {}, false, widest).of_difference(0, 1);
        CHECK(spread.population == widest);
        return spread.standard_error * stats::t_quantile(0.05, spread.freedom);
    };
    CHECK(interval(Population::training) >= interval(Population::seeds));
}

TEST_CASE("training sets make no interval narrower at any level, nor any p-value smaller")
{
    for (std::uint64_t draw = 0; draw < 40; ++draw) {
        std::vector<stats::Scored> rows(3);
        stats::CounterStream random(9, draw);
        for (stats::Scored& row : rows) {
            const std::vector<double> items = normal_values(random, 100);
            for (std::uint64_t seed = 1; seed <= 2; ++seed)
                row.fits.push_back(fit_of(seed, moved(items, 0.3 * random.normal())));
            for (std::uint64_t half = 1; half <= 10; ++half)
                row.resampled.push_back(fit_of(half, moved(items, 0.1 * random.normal())));
        }
        const auto by = [&](Population widest) {
            return stats::Crossed(rows, {}, false, widest).of_difference(0, 1);
        };
        const auto seeds = by(Population::seeds);
        const auto training = by(Population::training);
        REQUIRE(training.population == Population::training);
        for (const double level : {0.05, 0.01, 0.001, 1e-5})
            CHECK(training.standard_error * stats::t_quantile(level, training.freedom) >=
                  seeds.standard_error * stats::t_quantile(level, seeds.freedom) * (1 - 1e-9));
        for (const double difference : {0.1, 0.5, 1.0, 3.0})
            CHECK(training.p_value(difference) >= seeds.p_value(difference) * 0.99);
    }
}

TEST_CASE("halves of a row of one seed do not tell how much seeds matter on the whole")
{
    std::vector<stats::Scored> rows(2);
    stats::CounterStream random(4, 1);
    const std::vector<double> values = normal_values(random, 200);
    rows[0].fits = {fit_of(1, moved(values, 0))};
    for (std::uint64_t half = 1; half <= 20; ++half)
        rows[0].resampled.push_back(fit_of(half, moved(values, 0.1 * random.normal())));
    rows[1] = rows[0];
    const auto between = [&] { return stats::Crossed(rows, {}, false).of_difference(0, 1); };
    CHECK(between().population == Population::items);

    const auto known = [&](double variance, double freedom) {
        for (stats::Scored& row : rows)
            row.by_seed = stats::SeedVariance{variance, variance, freedom};
        return between();
    };
    CHECK(known(0.01, 60).population == Population::training);
    CHECK(known(0.01, 60).standard_error < 0.2);
    CHECK(known(9, 4).standard_error > 4);
    CHECK(known(9, 60).standard_error > 4);

    rows[0].by_seed.reset();
    rows[1].by_seed.reset();
    rows[1].resampled.clear();
    rows[1].fits.push_back(fit_of(2, moved(values, 0.3)));
    rows[1].fits.push_back(fit_of(3, moved(values, -0.2)));
    CHECK(between().population == Population::items);
}

TEST_CASE("scores that vary by nothing have an interval of no width, whatever is drawn anew")
{
    std::vector<stats::Scored> rows(1);
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
        rows[0].fits.push_back(fit_of(seed, std::vector<double>(100, 1.0)));
    for (std::uint64_t half = 1; half <= 6; ++half)
        rows[0].resampled.push_back(fit_of(half, std::vector<double>(100, 1.0)));
    CHECK(stats::Crossed(rows, {}, true).of_score(0).standard_error == 0);
}
