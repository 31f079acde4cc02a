#include "core/error.hpp"
#include "stats/correlation.hpp"
#include "stats/counter_stream.hpp"
#include "stats/statistic.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

using namespace senteval;

namespace {

const std::vector<double> x_values = {1, 2, 2, 4, 5, 5, 5, 9};
const std::vector<double> y_values = {2.5, 1, 3, 3, 4, 8, 4, 6.5};
const std::vector<std::uint32_t> gold = {1, 1, 0, 1, 0, 0, 1, 0};
const std::vector<std::uint32_t> predicted = {1, 0, 0, 1, 1, 0, 1, 0};

template <typename T>
std::vector<T> repeat(const std::vector<T>& values, std::span<const std::uint32_t> counts)
{
    std::vector<T> result;
    for (std::size_t i = 0; i < values.size(); ++i)
        result.insert(result.end(), counts[i], values[i]);
    return result;
}

/// A statistic of the items repeated by the counts.
using Make = std::function<stats::StatisticPtr(std::span<const std::uint32_t>)>;

const std::array<std::pair<const char*, Make>, 4> makers = {{
    {"mean", [](auto counts) { return stats::mean_statistic(repeat(y_values, counts)); }},
    {"F1",
     [](auto counts) {
         return stats::f1_statistic(repeat(gold, counts), repeat(predicted, counts));
     }},
    {"Pearson",
     [](auto counts) {
         return stats::pearson_statistic(repeat(x_values, counts), repeat(y_values, counts));
     }},
    {"Spearman",
     [](auto counts) {
         return stats::spearman_statistic(repeat(x_values, counts), repeat(y_values, counts));
     }},
}};

} // namespace

TEST_CASE("statistics of the items as they are")
{
    CHECK(stats::mean_statistic(y_values)->observed() == 4.0);
    CHECK(stats::f1_statistic(gold, predicted)->observed() == 0.75); // 3 hits, 4 + 4 mentions
    CHECK(stats::f1_statistic(gold, predicted, 0)->observed() == 0.75);
    CHECK(stats::pearson_statistic(x_values, y_values)->observed() ==
          doctest::Approx(stats::pearson(x_values, y_values).r).epsilon(1e-12));
    CHECK(stats::spearman_statistic(x_values, y_values)->observed() ==
          doctest::Approx(stats::spearman(x_values, y_values).r).epsilon(1e-12));
}

TEST_CASE("an answer of F1 is worth what the other one changes")
{
    const double f1 = stats::f1_statistic(gold, predicted)->observed();
    double squares = 0;
    for (std::size_t item = 0; item < gold.size(); ++item) {
        auto other = predicted;
        other[item] = 1 - other[item];
        squares += std::pow(stats::f1_statistic(gold, other)->observed() - f1, 2);
    }
    CHECK(stats::f1_statistic(gold, predicted)->answer() ==
          doctest::Approx(std::sqrt(squares / static_cast<double>(gold.size()))));

    // None found of 4 of 8: one hit of 5 mentions is 2 / 5.
    const std::vector<std::uint32_t> none(gold.size(), 0);
    CHECK(stats::f1_statistic(gold, none)->answer() == doctest::Approx(0.4 * std::sqrt(0.5)));
    CHECK(stats::f1_statistic(none, none)->answer() == 0);
    CHECK(stats::pearson_statistic(x_values, y_values)->answer() == 0);
}

TEST_CASE("a resample given by counts is the sample with its items repeated")
{
    const std::vector<std::uint32_t> once(x_values.size(), 1);
    stats::CounterStream random(7, 0);
    for (const auto& maker : makers) {
        const auto& [name, make] = maker;
        CAPTURE(maker.first);
        const auto statistic = make(once);
        for (int round = 0; round < 50; ++round) {
            std::vector<std::uint32_t> counts(x_values.size());
            for (std::size_t draw = 0; draw < counts.size(); ++draw)
                ++counts[random.next() % counts.size()];
            const double expected = make(counts)->observed();
            CHECK(statistic->value(counts) == doctest::Approx(expected).epsilon(1e-10));
        }
    }
}

TEST_CASE("influence is what one more copy of an item does to many copies of the sample")
{
    constexpr std::uint32_t copies = 4000;
    const std::vector<std::uint32_t> once(x_values.size(), 1);
    for (const auto& maker : makers) {
        const auto& [name, make] = maker;
        CAPTURE(maker.first);
        const std::vector<double> influence = make(once)->influence();
        std::vector<std::uint32_t> counts(x_values.size(), copies);
        const double before = make(counts)->observed();
        for (std::size_t item = 0; item < counts.size(); ++item) {
            ++counts[item];
            const double step = (make(counts)->observed() - before) * copies;
            CHECK(influence[item] == doctest::Approx(step).epsilon(1e-3).scale(0.1));
            --counts[item];
        }
    }
}

TEST_CASE("statistics that are not defined are not numbers")
{
    const std::vector<double> constant(x_values.size(), 0.1);
    CHECK(std::isnan(stats::pearson_statistic(x_values, constant)->observed()));
    CHECK(std::isnan(stats::spearman_statistic(constant, y_values)->observed()));
    std::vector<std::uint32_t> one_item(x_values.size());
    one_item[3] = 8;
    CHECK(std::isnan(stats::pearson_statistic(x_values, y_values)->value(one_item)));
    CHECK(std::isnan(stats::spearman_statistic(x_values, y_values)->value(one_item)));
    const std::vector<std::uint32_t> zeros(3);
    CHECK(stats::f1_statistic(zeros, zeros)->observed() == 0.0);
}

TEST_CASE("a weighted sum keeps its parts apart")
{
    std::vector<stats::StatisticPtr> parts;
    parts.push_back(stats::mean_statistic(std::array<double, 2>{1, 3}));
    parts.push_back(stats::mean_statistic(std::array<double, 3>{4, 5, 9}));
    const auto sum = stats::weighted_sum(std::move(parts), {0.25, 0.75});
    CHECK(sum->strata() == std::vector<std::size_t>{2, 3});
    CHECK(sum->observed() == doctest::Approx(0.25 * 2 + 0.75 * 6));
    CHECK(sum->value(std::array<std::uint32_t, 5>{2, 0, 0, 0, 3}) ==
          doctest::Approx(0.25 * 1 + 0.75 * 9));
    CHECK(sum->influence()[4] == doctest::Approx(0.75 * (9 - 6) / 3));
}

TEST_CASE("statistics refuse empty and unequal lists")
{
    CHECK_THROWS_AS(stats::mean_statistic({}), core::Error);
    CHECK_THROWS_AS(stats::pearson_statistic(x_values, {}), core::Error);
    CHECK_THROWS_AS(stats::spearman_statistic({}, {}), core::Error);
    CHECK_THROWS_AS(stats::weighted_sum({}, {}), core::Error);
}

TEST_CASE("the jackknife of Pearson's r is what leaving out each item changes")
{
    const std::vector<double> x = {1, 2, 4, 3, 7};
    const std::vector<double> y = {2, 1, 3, 5, 6};
    const auto statistic = stats::pearson_statistic(x, y);
    const auto values = statistic->jackknife();
    std::vector<double> without;
    double mean = 0;
    for (std::size_t left = 0; left < x.size(); ++left) {
        auto a = x;
        auto b = y;
        a.erase(a.begin() + static_cast<std::ptrdiff_t>(left));
        b.erase(b.begin() + static_cast<std::ptrdiff_t>(left));
        without.push_back(stats::pearson(a, b).r);
        mean += without.back() / 5;
    }
    for (std::size_t item = 0; item < x.size(); ++item)
        CHECK(values[item] == doctest::Approx((mean - without[item]) * 4 / 5));
}
