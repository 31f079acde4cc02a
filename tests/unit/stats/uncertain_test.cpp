#include "stats/counter_stream.hpp"
#include "stats/power.hpp"
#include "stats/uncertain.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace senteval;

TEST_CASE(
    "a variance that is all uncertain gives t of its freedom, and one that is not that of the rest")
{
    for (const double freedom : {0.8, 1.0, 2.5, 9.0, 40.0, 3000.0}) {
        CAPTURE(freedom);
        const auto all = stats::UncertainVariance{0, 100, 4, 4, freedom}.nearest().student;
        CHECK(all.standard_error == doctest::Approx(2).epsilon(0.001));
        CHECK(all.freedom == doctest::Approx(freedom).epsilon(0.01));
        const auto middle = stats::UncertainVariance{0, 100, 4, 4, freedom}.nearest().middle;
        CHECK(middle.freedom == doctest::Approx(freedom).epsilon(0.01));
    }
    const auto none = stats::UncertainVariance{9, 12, 1e-9, 1e-9, 1}.nearest().student;
    CHECK(none.standard_error == doctest::Approx(3).epsilon(0.001));
    CHECK(none.freedom == doctest::Approx(12).epsilon(0.01));
    const auto known = stats::UncertainVariance{9, 12, 0, 0, 0}.nearest().student;
    CHECK(known.standard_error == 3);
    CHECK(known.freedom == 12);
    const double many = std::numeric_limits<double>::infinity();
    CHECK(stats::UncertainVariance{3, many, 1, 1, many}.nearest().student.standard_error == 2);
}

TEST_CASE("a difference of a variance that is partly uncertain is refused as often as its t says")
{
    constexpr double most = std::numeric_limits<double>::infinity();
    for (const double freedom : {1.0, 3.0, 12.0}) {
        CAPTURE(freedom);
        const stats::UncertainVariance variance{1, most, 1, 3, freedom};
        const auto& [student, middle] = variance.nearest();
        CHECK(student.freedom > freedom);
        // The normal tail is exact for each W: only W is drawn.
        constexpr int draws = 200'000;
        for (const double level : {0.8, 0.5, 0.2, 0.05, 0.01, 0.001}) {
            const stats::Student& t = level > 0.05 ? middle : student;
            const double c = stats::t_quantile(level, t.freedom) * t.standard_error;
            double refused = 0;
            stats::CounterStream random(7, 1);
            for (int draw = 0; draw < draws; ++draw) {
                double chi_squared = 0;
                for (int one = 0; one < static_cast<int>(freedom); ++one)
                    chi_squared += std::pow(random.normal(), 2);
                const double w = freedom / chi_squared;
                refused += std::erfc(c / std::sqrt(2 * std::max(1 + w, 3 * w))) / draws;
            }
            CAPTURE(level);
            CHECK(refused == doctest::Approx(level).epsilon(0.08));
        }
    }
}

TEST_CASE("a variance that holds what seeds did to a difference depends on how large that is")
{
    constexpr double many = std::numeric_limits<double>::infinity();
    constexpr double along = 0.1;
    stats::UncertainVariance variance{1, many, 0.5, 1, many, along};
    CHECK(variance.typical() == 1.5);
    const double v = std::pow(variance.nearest().student.standard_error, 2);
    const double square =
        std::pow(stats::t_quantile(0.05, many), 2) * v; // of what is refused at 5 %
    CHECK(v == doctest::Approx(1.5 - along * (square / (v * v) - 1 / v)).epsilon(1e-6));
    CHECK(v < 1.3);
    variance.along = 0.9; // no more than all that is not the seeds'
    CHECK(variance.nearest().student.standard_error == doctest::Approx(1));
    variance.along = 0;
    CHECK(variance.nearest().student.standard_error == doctest::Approx(std::sqrt(1.5)));
    variance.freedom = 1e5; // nearly known
    variance.along = along;
    CHECK(variance.nearest().student.standard_error ==
          doctest::Approx(std::sqrt(v)).epsilon(0.001));
}
