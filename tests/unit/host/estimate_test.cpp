#include "host/estimate.hpp"

#include <doctest/doctest.h>

using namespace senteval::host;

namespace {

CellTime fit_only(double seconds)
{
    return {0, 0, 0, seconds};
}

struct Size {
    std::string kind;
    double size;
    std::size_t cells;
};

/// Every encoder on every task.
Estimate estimate_of(std::size_t encoders, const std::vector<Size>& tasks)
{
    std::vector<UnitSize> units;
    for (std::size_t encoder = 0; encoder < encoders; ++encoder)
        for (std::size_t task = 0; task < tasks.size(); ++task)
            units.push_back({encoder, task, tasks[task].kind, tasks[task].size, tasks[task].cells});
    return Estimate(units);
}

} // namespace

TEST_CASE("nothing is known before something has been measured")
{
    Estimate estimate = estimate_of(1, {{"a", 10, 1}, {"b", 10, 1}});
    CHECK_FALSE(estimate.remaining(0));
    estimate.begin(0);
    CHECK_FALSE(estimate.remaining(1));
    estimate.progress("embed", 1, 10, 1);
    CHECK_FALSE(estimate.remaining(2)); // how long the fit takes is not known
}

TEST_CASE("the first cell is the measure of the others while it runs")
{
    Estimate estimate = estimate_of(1, {{"a", 10, 1}, {"b", 30, 2}});
    estimate.begin(0);
    estimate.progress("fit", 0, 10, 0);
    estimate.progress("fit", 5, 10, 2);
    // 2 of 4 seconds are over; 60 units of size are left at 4 seconds for 10.
    CHECK(estimate.remaining(2).value() == doctest::Approx(2 + 24));
}

TEST_CASE("what is left follows sizes and the pace of the same kind")
{
    Estimate estimate =
        estimate_of(1, {{"slow", 10, 1}, {"fast", 10, 1}, {"slow", 20, 1}, {"fast", 40, 1}});
    estimate.begin(0);
    estimate.measured({0, 0, 1, 10}, 11);
    estimate.begin(11);
    estimate.measured({0, 0, 1, 1}, 13);
    estimate.begin(13);
    // Vectors: 2 seconds for 20 units, 60 are left. Fits: 1 per unit of slow, 0.1 of fast.
    CHECK(estimate.remaining(13).value() == doctest::Approx(6 + 20 + 4));
    CHECK(estimate.remaining(14).value() == doctest::Approx(6 + 20 + 4 - 1)); // embedding since 13
}

TEST_CASE("another encoder has its own pace, and the fits of a task theirs")
{
    Estimate estimate = estimate_of(2, {{"a", 10, 1}, {"a", 10, 1}});
    estimate.begin(0);
    estimate.measured({0, 3, 2, 5}, 10);
    estimate.begin(10);
    estimate.measured({0, 0, 2, 1}, 13);
    estimate.begin(13);
    // The second encoder: as the first so far, its start included for encoders that come later only.
    CHECK(estimate.remaining(13).value() == doctest::Approx(2 + 5 + 2 + 1));
    estimate.measured({0, 3, 20, 5}, 41);
    estimate.begin(41);
    CHECK(estimate.remaining(41).value() == doctest::Approx(20 + 1));
}

TEST_CASE("several cells of a task share its vectors")
{
    Estimate estimate = estimate_of(1, {{"a", 10, 3}});
    estimate.begin(0);
    estimate.measured({0, 0, 5, 2}, 7);
    CHECK(estimate.remaining(7).value() == doctest::Approx(4));
    estimate.progress("fit", 1, 4, 8);
    CHECK(estimate.remaining(9).value() == doctest::Approx(3 + 2)); // a quarter took a second
    estimate.measured(fit_only(2), 9);
    estimate.dropped(9);
    CHECK(estimate.remaining(9).value() == doctest::Approx(0));
}

TEST_CASE("what failed takes no more time")
{
    Estimate estimate = estimate_of(1, {{"a", 10, 4}, {"a", 10, 1}});
    estimate.begin(0);
    estimate.measured({0, 0, 1, 1}, 2);
    estimate.given_up(2);
    CHECK(estimate.remaining(2).value() == doctest::Approx(1 + 1));
}
