#include "core/error.hpp"
#include "stats/counter_stream.hpp"
#include "stats/variance_components.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

using namespace senteval;

TEST_CASE("variance components of a two by two table, by hand")
{
    // encoder means 1.5 and 4.5, classifier means 2 and 4, residuals +-0.5
    const auto parts = stats::variance_components(std::array<double, 4>{1, 2, 3, 6},
                                                  std::array<double, 4>{0.1, 0.2, 0.3, 0.4}, 2);
    CHECK(parts.mean == 3);
    CHECK(parts.sd == doctest::Approx(std::sqrt(14.0 / 3)));
    CHECK(parts.interaction == doctest::Approx(1));
    CHECK(parts.encoder == doctest::Approx(4.5 - 0.5));
    CHECK(parts.classifier == doctest::Approx(2 - 0.5));
    CHECK(parts.test == doctest::Approx(0.25));
    CHECK(parts.total() == doctest::Approx(4 + 1.5 + 1 + 0.25));
}

TEST_CASE("one line of seeds tells one component")
{
    const std::array<double, 3> scores = {1, 2, 3};
    const std::array<double, 3> none = {0, 0, 0};
    const auto by_encoder = stats::variance_components(scores, none, 3);
    CHECK(by_encoder.encoder == doctest::Approx(1));
    CHECK(std::isnan(by_encoder.classifier));
    CHECK(by_encoder.total() == doctest::Approx(1));
    const auto by_classifier = stats::variance_components(scores, none, 1);
    CHECK(by_classifier.classifier == doctest::Approx(1));
    CHECK(std::isnan(by_classifier.encoder));
    CHECK(std::isnan(
        stats::variance_components(std::array<double, 1>{1}, std::array<double, 1>{0}, 1).encoder));
}

TEST_CASE("variance components find the deviations they were made with")
{
    constexpr std::size_t encoders = 60;
    constexpr std::size_t classifiers = 50;
    stats::CounterStream random(9, 0);
    std::array<double, classifiers> by_classifier{};
    for (double& effect : by_classifier)
        effect = 2 * random.normal();
    std::vector<double> scores;
    for (std::size_t i = 0; i < encoders; ++i) {
        const double by_encoder = 3 * random.normal();
        for (const double effect : by_classifier)
            scores.push_back(10 + by_encoder + effect + 1.5 * random.normal());
    }
    const auto parts =
        stats::variance_components(scores, std::vector<double>(scores.size()), encoders);
    CHECK(parts.encoder == doctest::Approx(9).epsilon(0.3));
    CHECK(parts.classifier == doctest::Approx(4).epsilon(0.3));
    CHECK(parts.interaction == doctest::Approx(2.25).epsilon(0.1));
}

TEST_CASE("a component below zero becomes zero, and a table with holes is refused")
{
    const std::array<double, 4> crossed = {1, 2, 2, 1};
    const std::array<double, 4> none = {0, 0, 0, 0};
    CHECK(stats::variance_components(crossed, none, 2).encoder == 0);
    CHECK_THROWS_AS(stats::variance_components(crossed, none, 3), core::Error);
    CHECK_THROWS_AS(stats::variance_components(crossed, none, 0), core::Error);
    CHECK_THROWS_AS(stats::variance_components({}, {}, 1), core::Error);
    CHECK_THROWS_AS(stats::variance_components(crossed, {}, 2), core::Error);
}
