// What the built-in table tells of seeds, and what is planned by it.
#include "compare/comparison.hpp"
#include "compare/prospect.hpp"
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
using compare::Verdict;

namespace {

compare::Comparison compared_by_the_table(std::vector<run::Cell> cells,
                                          const compare::Options& options = {})
{
    compare::Options quick = options;
    quick.resampling.resamples = 500;
    return compare::compare(compare::Results(std::move(cells)), quick);
}

} // namespace

TEST_CASE("the built-in table says how many encoders stand behind a task")
{
    compare::SeedMeasurement measured;
    measured.task = "Own";
    measured.encoders.resize(6);
    CHECK(compare::seed_table().basis(measured, 4).starts_with("6 encoders on Own, among nine"));
    measured.encoders.resize(9);
    CHECK(compare::seed_table().basis(measured, 4).starts_with("nine encoders"));
    measured.encoders.back().norm = 50;
    CHECK(compare::seed_table()
              .basis(measured, 4)
              .starts_with("8 encoders on Own with vectors of like length, among nine"));
}

TEST_CASE("the built-in table speaks of the training and the items it was measured with alone")
{
    const auto verdict = [](const core::Json& other, int items = 500) {
        return compared_by_the_table({test::as_in_the_table("a", 400, other, items),
                                      test::as_in_the_table("b", 100, other, items)})
            .tasks[0]
            .entries[1]
            .verdict;
    };
    CHECK(verdict(core::Json::object()) == Verdict::worse);
    CHECK(verdict({{"/seed", 7}}) == Verdict::worse);
    for (const core::Json& other :
         {core::Json{{"/kfold", 5}}, core::Json{{"/normalise", "l2"}},
          core::Json{{"/classifier/optim", "rmsprop"}}, core::Json{{"/classifier/batch_size", 128}},
          core::Json{{"/classifier/tenacity", 1}}, core::Json{{"/classifier/epoch_size", 1}},
          core::Json{{"/classifier/l2", 0.1}}}) {
        CAPTURE(other.dump());
        CHECK(verdict(other) == Verdict::undecided);
    }
    CHECK(verdict(core::Json::object(), 499) == Verdict::undecided);
}

TEST_CASE("seeds of which little is known neither show equivalence that the items do not, nor find "
          "smaller "
          "differences")
{
    compare::Options options;
    options.baseline = "a";
    options.margin = 3;
    std::size_t cases = 0;
    for (const int right : {395, 390, 380, 370}) {
        const std::vector<run::Cell> cells = {test::as_in_the_table("a", 400),
                                              test::as_in_the_table("b", right)};
        const compare::Entry wide = compared_by_the_table(cells, options).tasks[0].entries[1];
        options.population = stats::Population::items;
        const compare::Entry items = compared_by_the_table(cells, options).tasks[0].entries[1];
        options.population.reset();
        REQUIRE(wide.difference.population == stats::Population::seeds);
        CHECK(wide.p_equivalent >= items.p_equivalent);
        CHECK(wide.difference.detectable >= items.difference.detectable * 0.999);
        ++cases;
    }
    CHECK(cases == 4);
}

TEST_CASE("a second seed makes what is known of the first no smaller")
{
    const auto detectable = [](bool second) {
        std::vector<run::Cell> cells;
        for (const auto& [encoder, right] : {std::pair("a", 400), std::pair("b", 380)}) {
            cells.push_back(test::as_in_the_table(encoder, right));
            if (second)
                cells.push_back(test::as_in_the_table(encoder, right + 4, {{"/seed", 7}}));
        }
        const auto task = compared_by_the_table(std::move(cells)).tasks[0];
        CHECK(task.entries[1].score.seed_source ==
              (second ? "own seeds and built-in table" : "built-in table"));
        CHECK(task.entries[1].score.seeds == (second ? 2 : 1));
        CHECK(task.population.find("built-in table") != std::string::npos);
        return task.entries[1].difference.detectable;
    };
    CHECK(detectable(true) < detectable(false));
}

TEST_CASE("every pair says whether it is as near as the margin")
{
    compare::Options options;
    options.margin = 50;
    options.all_pairs = true;
    const auto comparison = compared_by_the_table(
        {test::as_in_the_table("a", 400), test::as_in_the_table("b", 390)}, options);
    const compare::TaskComparison& task = comparison.tasks.at(0);
    REQUIRE(task.pairs.size() == 1);
    CHECK(task.pairs[0].p_equivalent < 0.05);
    CHECK(task.pairs[0].p_equivalent == doctest::Approx(task.entries[1].p_equivalent));
}

TEST_CASE("what is expected of an encoder that was not measured allows for how far encoders differ")
{
    const auto& table = compare::seed_table();
    for (const auto& one : table.measurements) {
        CAPTURE(one.task);
        const auto expected = table.expected(&one, {}, 4);
        CHECK(expected.has_value() == one.tells_of_others(4));
        if (!expected)
            continue;
        double least = one.encoders.front().by_seed.total;
        double most = 0;
        for (const auto& encoder : one.encoders) {
            least = std::min(least, encoder.by_seed.total);
            most = std::max(most, encoder.by_seed.total);
        }
        CHECK(expected->total > least / 10);
        CHECK(expected->total < 2 * most);
        CHECK(expected->beside_items <= expected->total);
        CHECK(expected->freedom > 0);
    }
    const std::vector<compare::MeasuredEncoder> alike(8, {{}, 0, {2.0, 1.0, 20}, 4});
    const std::vector<compare::MeasuredEncoder> few(4, {{}, 0, {2.0, 1.0, 20}, 4});
    const auto known = table.expected(nullptr, alike, 4);
    CHECK(known->total > 1);
    CHECK(known->total < 2.5);
    CHECK(known->beside_items == doctest::Approx(known->total / 2));
    // They may be copies of one encoder: the spread is that of the table's tasks.
    CHECK(known->freedom < 3);
    CHECK(table.expected(nullptr, few, 4)->freedom < known->freedom);
    CHECK_FALSE(table.expected(nullptr, {}, 4).has_value());
    const std::vector<compare::MeasuredEncoder> nothing(2, {{}, 0, {0.0, 0.0, 4}, 4});
    CHECK(table.expected(nullptr, nothing, 4)->total == 0); // as of a classifier without chance
}

TEST_CASE("encoders tell of the variance by seed of those with vectors of like length alone")
{
    CHECK(compare::are_of_like_norm(0, 20));
    CHECK(compare::are_of_like_norm(1, 19));
    CHECK(compare::are_of_like_norm(60, 30));
    CHECK_FALSE(compare::are_of_like_norm(19, 21));
    CHECK_FALSE(compare::are_of_like_norm(80, 30));
    const auto& table = compare::seed_table();
    const auto mrpc = std::ranges::find_if(
        table.measurements, [](const auto& one) { return one.task == "MRPC" && one.headline; });
    REQUIRE(mrpc != table.measurements.end());
    const auto of = [&](double norm) { return table.expected(&*mrpc, {}, norm); };
    CHECK(of(4));
    CHECK_FALSE(of(90)); // of those there is GloVe's sum alone
    CHECK_FALSE(of(25));
    for (const auto& one : table.measurements)
        if (one.headline) { // where encoders differ tenfold, what they show says little of one more
            CAPTURE(one.task);
            CHECK(one.tells_of_others(4) ==
                  (one.task != "SICKEntailment" && one.metric != "pearson"));
        }
    const std::vector<compare::MeasuredEncoder> here(5, {{}, 0, {2.0, 1.0, 20}, 300});
    CHECK(table.expected(&*mrpc, here, 400)->total ==
          table.expected(nullptr, here, 400)->total); // by those here alone
}

TEST_CASE("which metric of the built-in table is a headline its description says, not its name")
{
    const auto& table = compare::seed_table();
    const auto f1 =
        std::find_if(table.measurements.begin(), table.measurements.end(),
                     [](const auto& one) { return one.task == "MRPC" && one.metric == "f1"; });
    REQUIRE(f1 != table.measurements.end());
    compare::SeedTable other{"", {*f1}};
    CHECK(other.find("MRPC", "f1", f1->settings, f1->items) == nullptr);
    other.measurements.front().headline = true;
    CHECK(other.find("MRPC", "f1", f1->settings, f1->items) != nullptr);
}

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

TEST_CASE(
    "an encoder of the built-in table is known by its own seeds, where its score is one of theirs")
{
    const auto& table = compare::seed_table().measurements;
    const auto trec = std::find_if(table.begin(), table.end(), [](const auto& one) {
        return one.task == "TREC" && one.headline;
    });
    REQUIRE(trec != table.end());
    const auto glove = std::ranges::find(trec->encoders, R"("senteval.glove" 100 {})",
                                         &compare::MeasuredEncoder::kind);
    REQUIRE(glove != trec->encoders.end());
    const compare::MeasuredEncoder& first = *glove;
    CHECK(trec->of_encoder(first.kind, first.score, 0)->total == first.by_seed.total);
    CHECK(
        trec->of_encoder(first.kind, first.score + 2 * std::sqrt(first.by_seed.total), first.norm));
    CHECK_FALSE(trec->of_encoder(first.kind, first.score + 4 * std::sqrt(first.by_seed.total), 0));
    CHECK_FALSE(trec->of_encoder("another 100 {}", first.score, 0));
    CHECK_FALSE(
        trec->of_encoder(first.kind, first.score, 20 * first.norm)); // of other word vectors
    const core::Json encoder = core::Json::parse(
        R"({"id": "e", "dimension": 7, "parameters": {"b": 1, "vectors": "/where/ever", "a": true},
            "files": {"library": "0", "vectors": "1"}})");
    CHECK(compare::kind_of(encoder) == R"("e" 7 {"a":true,"b":1})");
    run::Cell known = test::as_in_the_table("a", static_cast<int>(5 * first.score));
    known.document["encoder"] = {{"id", "senteval.glove"},
                                 {"label", "a"},
                                 {"dimension", 100},
                                 {"fingerprint", "a"},
                                 {"parameters", core::Json::object()}};
    const auto task = compared_by_the_table({known, test::as_in_the_table("b", 100)}).tasks[0];
    CHECK(task.entries[0].score.seed_source == "built-in table: this encoder");
    CHECK(task.entries[1].score.seed_source == "built-in table");
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

TEST_CASE("a few seeds far from the rest of many count for as far as they go")
{
    const auto measured = [](int seeds, int far) {
        std::vector<run::Cell> cells;
        for (int seed = 0; seed < seeds; ++seed)
            cells.push_back(
                test::as_in_the_table("a", seed < far ? 380 : 400 + seed % 2, {{"/seed", seed}}));
        const compare::Results results(std::move(cells));
        return compare::measure(results, 0, results.metrics(0).front())->encoders.at(0).by_seed;
    };
    const auto variance = [](double seeds,
                             double far) { // of 500 items in per cent, but for the odd ones
        return 16 * far * (seeds - far) / (seeds * (seeds - 1));
    };
    CHECK(measured(40, 0).total == doctest::Approx(0.01).epsilon(0.05));
    CHECK(measured(20, 1).total ==
          doctest::Approx(variance(20, 1)).epsilon(0.1)); // too few to tell
    const stats::SeedVariance two_groups = measured(40, 2);
    CHECK(two_groups.total == doctest::Approx(std::pow(4 / 1.96, 2) / 2).epsilon(0.06));
    CHECK(two_groups.total > 2 * variance(40, 2));
    CHECK(two_groups.beside_items < two_groups.total);
    CHECK(two_groups.beside_items > two_groups.total - variance(40, 2) * 1.1);
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

TEST_CASE("two seeds that happen to be close say nothing of encoders that the table speaks of")
{
    const auto p_of_b = [](bool close) {
        std::vector<run::Cell> cells = {test::as_in_the_table("a", 400),
                                        test::as_in_the_table("b", 380)};
        if (close)
            for (const int seed : {7, 8})
                cells.push_back(test::as_in_the_table("c", 340 + seed % 2, {{"/seed", seed}}));
        const auto task = compared_by_the_table(std::move(cells)).tasks[0];
        REQUIRE(task.entries[1].difference.population == stats::Population::seeds);
        return task.entries[1].difference.p_value;
    };
    CHECK(p_of_b(true) == doctest::Approx(p_of_b(false)));
}
