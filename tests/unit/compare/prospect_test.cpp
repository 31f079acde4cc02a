// What is planned by the built-in table, or by a store's results.
#include "compare/prospect.hpp"

#include "compare/comparison.hpp"
#include "compare/seed_table.hpp"
#include "core/error.hpp"
#include "made_cells.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace senteval;

TEST_CASE("a plan takes seeds to matter as the comparison does")
{
    const auto& table = compare::seed_table();
    const auto known =
        std::find_if(table.measurements.begin(), table.measurements.end(),
                     [](const auto& one) { return one.task == "TREC" && one.metric == "acc"; });
    REQUIRE(known != table.measurements.end());
    const compare::Prospect prospect(*known, true);
    REQUIRE(prospect.of_one);
    CHECK(prospect.of_one->total == table.expected(&*known, {}, 0)->total);
    CHECK(prospect.detectable(500, 1, {}) > prospect.detectable(500, 2, {}));
    CHECK(prospect.detectable(500, 2, {}) > prospect.detectable(500, 3, {}));
    const compare::Prospect alike = [&] { // encoders whose items hardly differ
        compare::SeedMeasurement same = *known;
        same.item_deviations = {1};
        return compare::Prospect(same, true);
    }();
    const auto needed = alike.items_for(20, 50, {});
    REQUIRE(needed); // if 20 of 100 differ, 20 times 80 is the least variance
    CHECK(*needed > 0.2 * 0.8 * std::pow((1.96 + 0.84) / 0.2, 2) * 0.9);
    auto one_seed = *known; // as a store with results of one seed each is measured
    one_seed.encoders.clear();
    CHECK(compare::Prospect(one_seed, false).detectable(500, 1, {}) ==
          prospect.detectable(500, 1, {}));
    one_seed.settings = "{}";
    CHECK_FALSE(compare::Prospect(one_seed, false).seeds_known);
    const auto f1 =
        std::ranges::find_if(table.measurements, [](const auto& one) { return !one.headline; });
    REQUIRE(f1 != table.measurements.end()); // of which one seed tells nothing
    CHECK_FALSE(compare::Prospect(*f1, true).of_one);
    CHECK(compare::Prospect(*f1, true).seeds_known);
}

TEST_CASE("a plan by a store's results counts no pair of encoders whose scores are the same")
{
    const auto result = [](const std::string& encoder, int apart) {
        test::MadeCell cell;
        cell.encoder = encoder;
        cell.parameters = {{"name", encoder}};
        cell.settings = {{"protocol", "similarity"}};
        cell.headline = "pearson";
        cell.metrics = {{"pearson", 0.5}};
        std::vector<std::pair<double, double>> pairs;
        for (int i = 0; i < 40; ++i)
            pairs.emplace_back(i % 6, i % 5 + (i * apart) % 7);
        cell.items = test::pair_items(pairs, std::vector<std::uint32_t>(40, 0));
        return test::made(cell);
    };
    const auto deviations = [&](std::vector<run::Cell> cells) {
        const compare::Results results(std::move(cells));
        return compare::measure(results, 0, results.metrics(0).front())->item_deviations;
    };
    const auto of_two = deviations({result("a", 0), result("b", 1)});
    const auto of_four =
        deviations({result("a", 0), result("b", 1), result("a2", 0), result("a3", 0)});
    REQUIRE(of_two.size() == 1);
    CHECK(of_two.front() > 0.1);
    REQUIRE(of_four.size() == 3); // of six pairs
    for (const double one : of_four)
        CHECK(one == doctest::Approx(of_two.front()));
    CHECK(deviations({result("a", 0), result("a2", 0)}).empty());

    run::Cell hub = result("a", 0); // all pairs share a sentence
    for (std::uint32_t i = 0; i < hub.items.traits.size(); ++i) {
        hub.items.traits[i].source_first = 0;
        hub.items.traits[i].source_second = i + 1;
    }
    CHECK_THROWS_WITH_AS(deviations({hub, result("b", 1)}),
                         doctest::Contains("nearly all test items share a sentence"),
                         core::UsageError);
}

TEST_CASE("a plan takes in resampled training sets, as comparisons do, and no row that was trained "
          "otherwise")
{
    const auto cells_of = [](int halves, const std::string& other) {
        std::vector<run::Cell> cells;
        for (const std::string encoder : {"a", "b", "c"})
            for (int set = -2; set <= halves; ++set) { // three seeds before the halves
                const int right =
                    set <= 0 ? 150 + set : 135 + (set * (encoder == "a" ? 7 : 11)) % 20;
                test::MadeCell cell = test::trained(encoder, right, set <= 0 ? 1 - set : 1);
                for (std::size_t item = 0; item < 200; ++item) // encoders err on different items
                    cell.items.outcomes.rows[item].prediction =
                        (item * (encoder == "a" ? 3 : 7)) % 200 < static_cast<std::size_t>(right);
                if (set > 0)
                    cell.settings["resample"] = set;
                if (encoder == "c")
                    cell.settings["classifier"] = other;
                cells.push_back(test::made(cell));
            }
        return cells;
    };
    const auto plan_of = [&](int halves, const std::string& other) {
        const compare::Results results(cells_of(halves, other));
        const auto measured = compare::measure(results, 0, results.metrics(0).front());
        REQUIRE(measured.has_value());
        REQUIRE(measured->item_deviations.size() == 1); // of a and b
        const compare::Prospect prospect(*measured, false);
        for (const std::size_t seeds : {1U, 3U, 5U, 10U, 50U}) // more of them never find less
            CHECK(prospect.detectable(200, seeds, {}) >= prospect.detectable(200, 2 * seeds, {}));
        return prospect.detectable(200, 3, {});
    };
    const double with = plan_of(10, "mlp");
    CHECK(with > 1.2 * plan_of(0, "mlp"));
    std::vector<run::Cell> two = cells_of(10, "mlp");
    two.resize(26);
    const compare::Results results(std::move(two));
    compare::Options options;
    options.family = compare::Family::none;
    const auto compared = compare::compare(results, options).tasks.at(0);
    REQUIRE(compared.entries[1].difference.is_decided());
    CHECK(with == doctest::Approx(compared.detectable).epsilon(0.1));
}

TEST_CASE("a plan by the built-in table finds no less with more seeds")
{
    std::size_t measured = 0;
    for (const compare::SeedMeasurement& one : compare::seed_table().measurements) {
        if (!one.headline)
            continue;
        const compare::Prospect prospect(one, true);
        const auto items = static_cast<double>(one.items);
        double before = prospect.detectable(items, 1, {});
        for (const std::size_t seeds : {2, 3, 4, 5, 8, 20}) {
            CAPTURE(one.task);
            CAPTURE(seeds);
            const double now = prospect.detectable(items, seeds, {});
            CHECK(now <= before * 1.005);
            before = now;
        }
        double needed = std::numeric_limits<double>::infinity();
        for (const std::size_t seeds : {1, 2, 3, 4, 5, 10}) { // a third of what one seed finds
            CAPTURE(seeds);
            const auto found = prospect.items_for(prospect.detectable(items, 1, {}) / 3, seeds, {});
            const double now = found.value_or(std::numeric_limits<double>::infinity());
            CHECK(now <= needed);
            needed = now;
        }
        ++measured;
    }
    CHECK(measured == 11);
}
