#include "compare/comparison.hpp"
#include "compare/swaps.hpp"
#include "made_cells.hpp"
#include "stats/counter_stream.hpp"
#include "stats/signs.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace senteval;

namespace {

const task::Metric& metric_called(const std::vector<task::Metric>& all, const std::string& path)
{
    return *task::find_metric(all, path);
}

run::Items pairs(double slope, double phase)
{
    std::vector<std::pair<double, double>> items;
    for (int i = 0; i < 20; ++i)
        items.emplace_back(i, slope * i + 5 * std::sin(phase * i));
    return test::pair_items(items, std::vector<std::uint32_t>(items.size(), 0));
}

} // namespace

TEST_CASE("of a share each item contributes what it does, and equal answers nothing at all")
{
    const auto metrics = test::usual_metrics();
    const auto one = test::class_items({{1, 1}, {1, 1}, {0, 0}}, {1, 1, 1});
    const auto two = test::class_items({{1, 1}, {1, 0}, {0, 1}}, {1, 1, 1});
    const auto each = compare::swap_contributions(one, two, metric_called(metrics, "acc"));
    REQUIRE(each.size() == 3);
    CHECK(each[0] == 0);
    CHECK(each[1] == doctest::Approx(100.0 / 3));
    CHECK(each[2] == doctest::Approx(100.0 / 3));
}

TEST_CASE("of a correlation contributions sum to the difference, and change sign with the sides")
{
    const auto metrics = test::usual_metrics();
    const auto& pearson = metric_called(metrics, "pearson");
    const auto one = pairs(1, 1.7);
    const auto two = pairs(0.3, 2.9);
    const auto each = compare::swap_contributions(one, two, pearson);
    const auto back = compare::swap_contributions(two, one, pearson);
    REQUIRE(each.size() == 20);
    for (std::size_t i = 0; i < each.size(); ++i)
        CHECK(each[i] == doctest::Approx(-back[i]));
    CHECK(std::accumulate(each.begin(), each.end(), 0.0) > 0);
}

TEST_CASE("equal answers contribute nothing to a metric that is not linear either")
{
    task::Metric f1 = metric_called(test::usual_metrics(), "acc");
    f1.path = "f1";
    f1.source.statistic = "f1";
    const auto one = test::class_items({{1, 1}, {1, 1}, {0, 0}, {0, 1}, {1, 0}}, {1, 1, 1, 1, 1});
    const auto two = test::class_items({{1, 1}, {1, 0}, {0, 1}, {0, 1}, {1, 0}}, {1, 1, 1, 1, 1});
    const auto each = compare::swap_contributions(one, two, f1);
    REQUIRE(each.size() == 5);
    CHECK(each[0] == 0);
    CHECK(each[1] > 0);
    CHECK(each[2] > 0);
    CHECK(each[3] == 0);
    CHECK(each[4] == 0);
    CHECK(each[1] + each[2] == doctest::Approx(100 * (4.0 / 6 - 2.0 / 6)));
}

TEST_CASE("items that share no sentence are swapped one by one")
{
    const auto metrics = test::usual_metrics();
    auto one = pairs(1, 1.7);
    const auto two = pairs(0.3, 2.9);
    const auto& pearson = metric_called(metrics, "pearson");
    const auto unknown = compare::swap_contributions(one, two, pearson);
    for (std::size_t i = 0; i < one.traits.size(); ++i)
        one.traits[i].source_first = one.traits[i].source_second = static_cast<std::uint32_t>(i);
    CHECK(compare::swap_contributions(one, two, pearson) == unknown);
}

TEST_CASE("items of one sentence are swapped together, and what would be undefined is not tried")
{
    const auto metrics = test::usual_metrics();
    auto one = pairs(1, 1.7);
    const auto two = pairs(0.3, 2.9);
    for (std::size_t i = 0; i < one.traits.size(); ++i)
        one.traits[i].source_first = one.traits[i].source_second =
            static_cast<std::uint32_t>(i / 2);
    CHECK(compare::swap_contributions(one, two, metric_called(metrics, "pearson")).size() == 10);
    auto constant = pairs(0, 0);
    CHECK(
        compare::swap_contributions(constant, constant, metric_called(metrics, "pearson")).empty());
}

TEST_CASE("medians are told apart as often as a random swap of each item says")
{
    task::Metric median = metric_called(test::usual_metrics(), "pearson");
    median.source.statistic = "median rank";
    const std::vector<double> ranks[] = {{1, 2, 2, 7, 9, 4, 3}, {2, 1, 5, 8, 9, 6, 6}};
    std::vector<run::Cell> cells(2);
    for (std::size_t side = 0; side < 2; ++side) {
        std::vector<std::pair<double, double>> items;
        for (const double rank : ranks[side])
            items.emplace_back(1, rank);
        cells[side].items = test::pair_items(items, std::vector<std::uint32_t>(items.size(), 0));
    }
    const auto p_of = [&](double beside) {
        return compare::swap_null({&cells[0]}, {&cells[1]}, median, {beside, 8, {}}, 1).p_value(-3);
    };
    // Of the 128 patterns of swaps 32 give a difference of 3 and none a larger one (enumerated in Python).
    CHECK(p_of(0) == doctest::Approx(16.0 / 128).epsilon(0.08));
    CHECK(p_of(4) > 1.5 * p_of(0)); // seeds come on top
    for (run::Cell& cell : cells)   // one image with all its captions: only both swapped, or none
        for (run::ItemTraits& traits : cell.items.traits)
            traits.source_first = traits.source_second = 0;
    CHECK(p_of(0) == 0.5);
}

TEST_CASE("what items contribute to a correlation does not depend on the scale of predictions")
{
    const auto metrics = test::usual_metrics();
    const auto one = pairs(1, 1.7);
    const auto two = pairs(0.3, 2.9);
    const auto of = [&](const char* path, auto change) {
        run::Items changed = two;
        for (task::ItemOutcome& row : changed.outcomes.rows)
            row.prediction = change(row.prediction);
        return compare::swap_contributions(one, changed, metric_called(metrics, path));
    };
    const auto as_it_is = [](double x) { return x; };
    const auto linear = [](double x) { return 0.01 * x - 7; };
    const auto monotone = [](double x) { return std::exp(x / 10); };
    const auto check_same = [](const std::vector<double>& a, const std::vector<double>& b) {
        REQUIRE(a.size() == 20);
        REQUIRE(b.size() == 20);
        for (std::size_t i = 0; i < a.size(); ++i)
            CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-6));
    };
    check_same(of("pearson", as_it_is), of("pearson", linear));
    check_same(of("spearman", as_it_is), of("spearman", monotone));
    const auto raw = of("mse", as_it_is);
    const auto scaled = of("mse", linear); // which mse does depend on
    CHECK(raw[3] != doctest::Approx(scaled[3]));
}

TEST_CASE("equally good encoders are told apart by a correlation over few items as often as they "
          "should be")
{
    const auto metrics = test::usual_metrics();
    const auto told_apart = [&](const char* path, std::size_t count, double scale, auto noise) {
        constexpr int draws = 3000;
        stats::CounterStream random(11, 0);
        const std::vector<std::uint32_t> one_group(count, 0);
        int rejected = 0;
        for (int draw = 0; draw < draws; ++draw) {
            std::vector<std::pair<double, double>> first;
            std::vector<std::pair<double, double>> second;
            for (std::size_t item = 0; item < count; ++item) {
                const double gold = random.normal();
                const double both = gold + 0.5 * random.normal();
                first.emplace_back(gold, both + 0.7 * noise(random));
                second.emplace_back(gold, scale * (both + 0.7 * noise(random)));
            }
            const auto each = compare::swap_contributions(test::pair_items(first, one_group),
                                                          test::pair_items(second, one_group),
                                                          metric_called(metrics, path));
            rejected += stats::sign_flip_p_value(each) <= 0.05 ? 1 : 0;
        }
        return rejected / static_cast<double>(draws);
    };
    const auto normal = [](stats::CounterStream& random) { return random.normal(); };
    const auto long_tailed = [](stats::CounterStream& random) {
        return random.normal() /
               std::sqrt(random.uniform()); // as Student's t with two degrees of freedom
    };
    for (const char* path : {"pearson", "spearman"})
        for (const double scale : {1.0, 2.0, 10.0}) {
            CAPTURE(path);
            CAPTURE(scale);
            const double of_normal = told_apart(path, 15, scale, normal);
            CHECK(of_normal > 0.028);
            CHECK(of_normal < 0.062);
            const double of_long_tailed = told_apart(path, 30, scale, long_tailed);
            CHECK(of_long_tailed > 0.035);
            CHECK(of_long_tailed < (scale == 1.0 ? 0.06 : 0.08));
        }
}

TEST_CASE(
    "where few items make most of the deviation, predictions of one scale are swapped as they are")
{
    const auto metrics = test::usual_metrics();
    constexpr int draws = 400;
    stats::CounterStream random(12, 0);
    int told_apart = 0;
    for (int draw = 0; draw < draws;
         ++draw) { // two of 30 pairs say yes, and how loudly is a matter of chance
        std::vector<std::pair<double, double>> sides[2];
        for (int item = 0; item < 30; ++item)
            for (auto& side : sides)
                side.emplace_back(item < 2 ? 1 : 0,
                                  item < 2 ? 10 * (1 + random.uniform()) : random.normal());
        const std::vector<std::uint32_t> one_group(30, 0);
        const auto each = compare::swap_contributions(test::pair_items(sides[0], one_group),
                                                      test::pair_items(sides[1], one_group),
                                                      metric_called(metrics, "pearson"));
        told_apart += stats::sign_flip_p_value(each) <= 0.05 ? 1 : 0;
    }
    CHECK(told_apart < 0.08 * draws);
}

TEST_CASE("means over seeds of few answers are tested by the patterns, whatever digits scores are "
          "kept with")
{
    // Both items that differ speak for a, one seed of b each: of four patterns two are as large (mid-p 1/4).
    std::vector<run::Cell> cells;
    for (const std::string encoder : {"a", "b"})
        for (int seed = 1; seed <= 2; ++seed) {
            test::MadeCell cell = test::trained(encoder, 0, seed);
            std::vector<std::pair<int, int>> outcomes;
            for (int item = 0; item < 30; ++item)
                outcomes.emplace_back(1, item < 22 && !(encoder == "b" && item == seed) ? 1 : 0);
            cell.items = test::class_items(outcomes, std::vector<std::uint32_t>(30, 1));
            cell.metrics = {{"acc", encoder == "a" ? 73.33 : 70.0}};
            cells.push_back(test::made(cell));
        }
    compare::Options options;
    options.population = stats::Population::items;
    const auto comparison = compare::compare(compare::Results(std::move(cells)), options);
    const compare::Entry& b = comparison.tasks.at(0).entries.at(1);
    CHECK(b.difference.value == doctest::Approx(-3.33));
    CHECK(b.difference.p_value == doctest::Approx(0.25));
    CHECK(b.verdict == compare::Verdict::tied);
    CHECK(b.difference.interval.high >= 0);
}

TEST_CASE("every seed of one side meets seeds of the other as often, and an answer that is the "
          "same counts nothing")
{
    const auto metrics = test::usual_metrics();
    std::vector<run::Cell> cells(5);
    for (std::size_t run = 0; run < cells.size(); ++run) {
        std::vector<std::pair<int, int>> outcomes(20, {1, 1});
        if (run < 2)
            outcomes[run].second = 0; // of the first side each seed another
        cells[run].items = test::class_items(outcomes, std::vector<std::uint32_t>(20, 1));
    }
    const compare::Runs first = {&cells[0], &cells[1]};
    const compare::Runs second = {&cells[2], &cells[3], &cells[4]};
    const auto each = compare::swap_contributions(first, second, metric_called(metrics, "acc"));
    REQUIRE(each.size() == 20);
    CHECK(each[0] == doctest::Approx(-2.5)); // half of the seeds, of 5 points
    CHECK(each[1] == doctest::Approx(-2.5));
    for (std::size_t item = 2; item < each.size(); ++item)
        CHECK(each[item] == 0);
}

TEST_CASE("where no pattern of signs is rare enough nothing can be told, and no difference is "
          "called detectable")
{
    const auto told_of = [](int rows) {
        std::vector<run::Cell> cells;
        for (int row = 0; row < rows; ++row) {
            std::vector<std::pair<double, double>> items;
            for (int i = 0; i < 12; ++i)
                items.emplace_back(i, row == 0 ? -i : i + std::sin(row + 3 * i));
            cells.push_back(test::scored("row " + std::to_string(row), "pairs", items));
        }
        return compare::compare(compare::Results(std::move(cells)), {}).tasks.at(0).entries.at(0);
    };
    CHECK(told_of(4).verdict == compare::Verdict::worse);
    CHECK(std::isfinite(told_of(4).difference.detectable));
    const auto one_of_many = told_of(30); // p is 2^-12 at least, and there are 435 pairs
    CHECK(one_of_many.verdict == compare::Verdict::tied);
    CHECK(one_of_many.difference.interval.low == -2);
    CHECK(one_of_many.difference.interval.high == 2);
    CHECK(std::isinf(one_of_many.difference.detectable));
}

TEST_CASE("correlations are equivalent by no less than limits that know where correlations end")
{
    const auto p_of = [](int count) {
        std::vector<run::Cell> cells;
        for (const double noise : {2.0, 4.0}) {
            std::vector<std::pair<double, double>> items;
            for (int i = 0; i < count; ++i)
                items.emplace_back(i % 20, i % 20 + noise * std::sin(noise + 37 * i));
            cells.push_back(test::scored("noise " + std::to_string(noise), "pairs", items));
        }
        compare::Options options;
        options.margin = 15;
        const auto entry =
            compare::compare(compare::Results(std::move(cells)), options).tasks.at(0).entries.at(1);
        const double room = 0.15 - std::abs(entry.difference.value);
        const stats::Spread by_t{entry.difference.standard_error, entry.difference.freedom};
        return std::pair(entry.p_equivalent, by_t.p_value(room) / 2);
    };
    const auto [of_few, of_few_by_t] = p_of(20);
    CHECK(of_few > 1.05 * of_few_by_t);
    CHECK(of_few < 0.5);
    const auto [of_many, of_many_by_t] = p_of(400);
    CHECK(of_many < of_few);
    CHECK(of_many < 1e-6);
}
