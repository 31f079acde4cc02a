// What the variance of one row is made of.
#include "stats/counter_stream.hpp"
#include "stats/crossed.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace senteval;

namespace {

/// A row of one fit and twelve halves of its training set; the second of two halves, which is the complement of the first,
/// deviates `complement` times as far.
stats::Scored with_halves(double complement)
{
    stats::CounterStream random(3, 1);
    stats::Scored row;
    row.fits.push_back({1, 80, std::vector<double>(50)});
    for (std::uint64_t pair = 0; pair < 6; ++pair) {
        const double deviation = random.normal();
        row.resampled.push_back({2 * pair + 1, 78 + deviation, std::vector<double>(50)});
        row.resampled.push_back(
            {2 * pair + 2, 78 + complement * deviation, std::vector<double>(50)});
    }
    return row;
}

double by_training_set(const stats::Scored& row)
{
    const auto variance = stats::Crossed({&row, 1}, {}, false).by_training_set(0);
    REQUIRE(variance);
    return *variance;
}

} // namespace

TEST_CASE("what training sets add is what complements make of the spread between halves")
{
    // What depends on single items turns round in the complement: it is all of the spread.
    const stats::Scored row = with_halves(-1);
    const double spread = stats::between(row.resampled);
    CHECK(by_training_set(row) > 0.8 * spread);
    CHECK(by_training_set(row) < 1.3 * spread);
    // What does not is not by the items: a third is the least that is told.
    const stats::Scored alike = with_halves(1);
    CHECK(by_training_set(alike) == doctest::Approx(stats::between(alike.resampled) / 3));
}

TEST_CASE("rows without enough halves tell nothing of training sets")
{
    stats::Scored row = with_halves(-1);
    row.resampled.resize(4);
    CHECK_FALSE(stats::Crossed({&row, 1}, {}, false).by_training_set(0));
    row.resampled.clear();
    CHECK_FALSE(stats::Crossed({&row, 1}, {}, false).by_training_set(0));
}
