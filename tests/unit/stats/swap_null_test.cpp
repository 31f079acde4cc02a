#include "stats/counter_stream.hpp"
#include "stats/power.hpp"
#include "stats/swap_null.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <vector>

using namespace senteval;

TEST_CASE("of few values p is the share of larger differences and half of the equal ones")
{
    std::vector<double> swapped(1000, 0.0);
    for (std::size_t draw = 0; draw < 300; ++draw)
        swapped[draw] = draw % 2 == 0 ? 0.2 : -0.2;
    for (std::size_t draw = 300; draw < 340; ++draw)
        swapped[draw] = -0.4;
    const stats::SwapNull null(swapped, 0, 100);
    CHECK(null.p_value(0) == (340 + 660 / 2.0) / 1000);
    CHECK(null.p_value(0.2) == (40 + 150) / 1000.0);
    CHECK(null.p_value(-0.2) == null.p_value(0.2));
    CHECK(null.p_value(0.4) == 0.02);
    CHECK(null.standard_error() == doctest::Approx(std::sqrt(0.3 * 0.04 + 0.04 * 0.16)));
    CHECK(null.half_width(0.05) == 0.2);
    CHECK(null.half_width(0.03) == 0.4); // which has itself a p-value below
}

TEST_CASE("a difference that no draw reaches has the p-value of t, and no floor")
{
    std::vector<double> swapped;
    for (std::size_t draw = 0; draw < 2000; ++draw)
        swapped.push_back(stats::CounterStream(3, draw).normal());
    const stats::SwapNull null(swapped, 0, 1000);
    CHECK(null.p_value(8) == doctest::Approx(stats::t_p_value(8 / null.standard_error(), 1000)));
    CHECK(null.p_value(8) > 0);
    double last = 1;
    for (double size = 0; size < 9; size += 0.01) { // it never rises
        CHECK(null.p_value(size) <= last);
        last = null.p_value(size);
    }
}

TEST_CASE("p is above the level within the half width, and not above it beyond")
{
    for (const double beside : {0.0, 0.3, 2.0})
        for (const double level : {0.2, 0.05, 0.01, 0.004, 1e-5}) {
            CAPTURE(beside);
            CAPTURE(level);
            std::vector<double> swapped;
            for (std::size_t draw = 0; draw < 2000; ++draw)
                swapped.push_back(std::round(stats::CounterStream(4, draw).normal() * 2) / 5);
            const stats::SwapNull null(swapped, beside, 8);
            const double half = null.half_width(level);
            CHECK(null.p_value(half + 1e-6) <= level);
            CHECK(null.p_value(half - 1e-6) > level);
        }
}

TEST_CASE("what seeds add is Student's, also where no item matters")
{
    const stats::SwapNull null(std::vector<double>(20000, 0.0), 1.5, 4);
    for (const double size : {1.0, 2.0, 5.0}) {
        CAPTURE(size);
        CHECK(null.p_value(size) == doctest::Approx(stats::t_p_value(size / 1.5, 4)).epsilon(0.08));
    }
}
