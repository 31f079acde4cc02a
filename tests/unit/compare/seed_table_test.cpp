// What the built-in table tells of seeds.
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
    // However far apart two of its seeds are: the table has many more.
    run::Cell again =
        test::as_in_the_table("a", static_cast<int>(5 * first.score) - 20, {{"/seed", 2}});
    again.document["encoder"] = known.document.at("encoder");
    const auto of_two = compared_by_the_table({known, again, test::as_in_the_table("b", 300)});
    CHECK(of_two.tasks[0].entries[0].score.seeds == 2);
    CHECK(of_two.tasks[0].entries[0].score.seed_source == "built-in table: this encoder");
}

TEST_CASE("the built-in table says less of an encoder that is worse than all of its own")
{
    const auto difference = [](int first, int second) {
        return compared_by_the_table(
                   {test::as_in_the_table("a", first), test::as_in_the_table("b", second)})
            .tasks[0]
            .entries[1];
    };
    // Both differ by 7 %; the worst of the table is right in 58 %.
    const auto usual = difference(375, 340);
    const auto worse = difference(275, 240);
    CHECK(usual.verdict == Verdict::worse);
    CHECK(worse.verdict == Verdict::tied);
    CHECK(worse.difference.standard_error > 1.2 * usual.difference.standard_error);
    CHECK(difference(400, 100).verdict == Verdict::worse); // which no seed explains
}

TEST_CASE("few seeds that vary by far more than the built-in table expects are believed alone")
{
    const auto of_seeds = [](const std::string& encoder, std::initializer_list<int> right) {
        std::vector<run::Cell> cells;
        for (const int one : right)
            cells.push_back(test::as_in_the_table(encoder, one,
                                                  {{"/seed", static_cast<int>(cells.size()) + 1}}));
        return cells;
    };
    std::vector<run::Cell> cells = of_seeds("quiet", {380, 377, 383});
    for (run::Cell& cell : of_seeds("wild", {390, 385, 300}))
        cells.push_back(std::move(cell));
    const auto task = compared_by_the_table(std::move(cells)).tasks[0];
    CHECK(task.entries[0].score.seed_source == "own seeds and built-in table");
    CHECK(task.entries[1].score.seed_source == "own seeds, which vary by more than others' do");
    CHECK(task.entries[1].verdict == Verdict::tied);
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
