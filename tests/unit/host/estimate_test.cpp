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
            units.push_back({encoder, task, tasks[task].kind, tasks[task].size,
                             std::vector<double>(tasks[task].cells, tasks[task].size)});
    return Estimate(units);
}

double seconds_left(const Estimate& estimate, double now)
{
    return estimate.remaining(now).value().seconds;
}

} // namespace

TEST_CASE("nothing is known before something has been measured")
{
    Estimate estimate = estimate_of(1, {{"a", 10, 1}, {"b", 10, 1}});
    CHECK_FALSE(estimate.remaining(0));
    estimate.begin(0);
    CHECK_FALSE(estimate.remaining(1));
    estimate.progress("embed", 5, 10, 1);
    CHECK_FALSE(estimate.remaining(2)); // how long the fit takes is not known
    CHECK(estimate.share_of_cell(2) == 0);
}

TEST_CASE("the first cell is the measure of its own fits while it runs, and of no other vectors")
{
    Estimate estimate = estimate_of(1, {{"a", 10, 2}});
    estimate.begin(0);
    estimate.progress("fit", 0, 10, 0);
    estimate.progress("fit", 5, 10, 2);
    CHECK(seconds_left(estimate, 2) == doctest::Approx(2 + 4)); // 2 of 4 seconds are over
    CHECK(estimate.share_of_cell(2) == doctest::Approx(0.5));
    Estimate more = estimate_of(1, {{"a", 10, 1}, {"b", 30, 2}});
    more.begin(0);
    more.progress("fit", 5, 10, 2);
    CHECK_FALSE(more.remaining(2));
}

TEST_CASE("what is left follows sizes and the pace of the same kind")
{
    Estimate estimate =
        estimate_of(1, {{"slow", 10, 1}, {"fast", 10, 1}, {"slow", 20, 1}, {"fast", 40, 1}});
    estimate.begin(0);
    estimate.measured({0, 0, 1, 10}, 11);
    estimate.begin(11);
    CHECK(estimate.remaining(11).value().is_rough); // nothing "fast" has been done
    estimate.measured({0, 0, 1, 1}, 13);
    estimate.begin(13);
    CHECK_FALSE(estimate.remaining(13).value().is_rough);
    // Vectors: 2 seconds for 20 units, 60 are left. Fits: 1 per unit of slow, 0.1 of fast.
    CHECK(seconds_left(estimate, 13) == doctest::Approx(6 + 20 + 4));
    CHECK(seconds_left(estimate, 14) == doctest::Approx(6 + 20 + 4 - 1)); // embedding since 13
    CHECK(estimate.remaining(13).value().is_whole);
    CHECK(estimate.remaining(13).value().cells == 2);
}

TEST_CASE(
    "an encoder tells nothing of another's pace, and the fits of a task keep their proportions")
{
    Estimate estimate = estimate_of(2, {{"a", 10, 1}, {"a", 10, 1}});
    estimate.begin(0);
    estimate.measured({0, 3, 2, 5}, 10);
    CHECK(seconds_left(estimate, 10) == doctest::Approx(2 + 5)); // of the first only
    CHECK_FALSE(estimate.remaining(10).value().is_whole);
    estimate.begin(10);
    estimate.measured({0, 0, 2, 1}, 13);
    estimate.begin(13);
    CHECK_FALSE(estimate.remaining(13)); // it may be a thousand times as slow
    estimate.measured({0, 3, 20, 50}, 86);
    estimate.begin(86);
    CHECK(seconds_left(estimate, 86) == doctest::Approx(20 + 10)); // fits: ten times the first's
    CHECK(estimate.remaining(86).value().is_whole);
}

TEST_CASE("several cells of a task share its vectors, and have sizes of their own")
{
    Estimate estimate = estimate_of(1, {{"a", 10, 3}});
    estimate.begin(0);
    estimate.measured({0, 0, 5, 2}, 7);
    CHECK(seconds_left(estimate, 7) == doctest::Approx(4));
    estimate.progress("fit", 1, 4, 8);
    CHECK(seconds_left(estimate, 9) == doctest::Approx(3 + 2)); // a quarter took a second
    estimate.measured(fit_only(2), 9);
    estimate.dropped(9);
    CHECK(seconds_left(estimate, 9) == doctest::Approx(0));

    Estimate halves({{0, 0, "a", 10, {10, 5}}});
    halves.begin(0);
    halves.measured({0, 0, 5, 2}, 7);
    CHECK(seconds_left(halves, 7) == doctest::Approx(1));
}

TEST_CASE("what failed takes no more time")
{
    Estimate estimate = estimate_of(1, {{"a", 10, 4}, {"a", 10, 1}});
    estimate.begin(0);
    estimate.measured({0, 0, 1, 1}, 2);
    estimate.given_up(2);
    CHECK(seconds_left(estimate, 2) == doctest::Approx(1 + 1));
}
